// A policy that is written in Python, in the simulator beside the built-in ones.
#pragma once

#include <memory>
#include <string>

#include "callbacks.hpp"
#include "phe/registry.hpp"

namespace phe::python {

// `factory(setting)` makes a policy: an object with select and update, as phebandits.Policy has
// them. It is called in the first round, when there is a stream to take its seed from.
PolicyEntry python_policy_entry(std::string name, SharedObject factory,
                                std::shared_ptr<Raised> raised);

}  // namespace phe::python
