// do_runs: runs of a plan over threads, whatever a run is.
#pragma once

#include <functional>
#include <vector>

#include "phe/simulate.hpp"

namespace phe {

// One run, on any thread; several at once.
using DoRun = std::function<Result<RunResult>(const RunId&)>;

// With the contract of simulate, which is this with Plan::run.
Result<void> do_runs(const Plan& plan, const std::vector<RunId>& runs,
                     const SimulateOptions& options, const DoRun& run);

}  // namespace phe
