// A problem that is written in Python.
#pragma once

#include <memory>
#include <string>

#include "callbacks.hpp"
#include "phe/registry.hpp"

namespace phe::python {

// `factory(seed)` makes an instance: an object with arms, means and reward(round, arm); or, for
// contexts, with d, offer(round) -> (X, means) and reward(round, action). It may also have
// rewards, (0, 1) unless said, binary and one_context, False unless said.
ProblemEntry python_problem_entry(std::string name, SharedObject factory,
                                  std::shared_ptr<Raised> raised);

}  // namespace phe::python
