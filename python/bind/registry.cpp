// What there is by name, for whoever lists it or makes classes of it.
#include "bindings.hpp"
#include "phe/version.hpp"

namespace phe::python {

namespace {

template <class Entries>
py::list described(const Entries& entries) {
  py::list all;
  for (const auto& entry : entries) {
    py::list keys;
    for (const ParameterInfo& key : entry->parameters)
      keys.append(py::make_tuple(key.key, key.default_value, key.meaning));
    all.append(py::make_tuple(entry->name, entry->summary, keys));
  }
  return all;
}

}  // namespace

void bind_registry(py::module_& m) {
  m.def("policy_entries", [] { return described(registry().policies()); });
  m.def("problem_entries", [] { return described(registry().problems()); });
  m.attr("__version__") = version;
}

}  // namespace phe::python
