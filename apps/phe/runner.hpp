// Who does the runs of a command: the threads of this process, or the ranks of phe-mpi.
#pragma once

#include <functional>
#include <vector>

#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

struct Runner {
  // With the contract of phe::simulate, which it is unless something else was set.
  std::function<Result<void>(const Plan&, const std::vector<RunId>&, const SimulateOptions&)>
      simulate;
  bool elsewhere = false;  // other processes do runs too
};

// Set it before the first command, and not later.
Runner& runner();

}  // namespace phe::app
