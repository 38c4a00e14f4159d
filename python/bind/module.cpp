// phebandits._core: the library, bound to Python. What users import is in ../phebandits.
#include "bindings.hpp"

namespace {

// pybind11 before 2.12 reads the arrays of NumPy 2 wrongly, without a sign of it.
void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  namespace py = pybind11;
  const std::string version = py::str(py::module_::import("numpy").attr("__version__"));
  if (!version.starts_with("1."))
    throw py::import_error("phebandits was built for NumPy 1, and this is NumPy " + version +
                           ": build it with pybind11 2.12 or later (pip install .)");
#endif
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  using namespace phe::python;
  check_numpy();
  py::options options;
  options.disable_function_signatures();  // the stub has them, with types
  bind_registry(m);
  bind_instance(m);
  bind_policy(m);
  bind_simulate(m);
  bind_evaluate(m);
}
