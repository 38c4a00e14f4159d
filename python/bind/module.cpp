// phebandits._core: the library, bound to Python. What users import is in ../phebandits.
#include "bindings.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace phe::python;
  py::options options;
  options.disable_function_signatures();  // the stub has them, with types
  bind_registry(m);
  bind_instance(m);
  bind_policy(m);
  bind_simulate(m);
  bind_evaluate(m);
}
