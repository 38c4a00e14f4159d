// One function per file of bindings; module.cpp calls them in order. Texts for people are in
// docs.hpp.
#pragma once

#include "bound_policy.hpp"
#include "docs.hpp"
#include "whole_objects.hpp"

namespace phe::python {

using PolicyClass = py::class_<BoundPolicy>;

void bind_registry(py::module_& m);
void bind_policy(py::module_& m);
void bind_batches(PolicyClass& policy);  // select_many, update_many
void bind_state(PolicyClass& policy);    // save, load, merge, pickle
void bind_instance(py::module_& m);      // and run
void bind_simulate(py::module_& m);
void bind_evaluate(py::module_& m);

}  // namespace phe::python
