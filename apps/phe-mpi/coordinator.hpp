// What rank 0 does: hands out runs as ranks become free, and takes their results. It does runs too.
#pragma once

#include <vector>

#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::mpi {

// phe::simulate over all ranks, with options.threads threads in each. After Ctrl-C the workers are
// left where they are, and left_behind() is true: there is no more to be had from them.
Result<void> simulate_on_ranks(const Plan& plan, const std::vector<RunId>& runs,
                               const SimulateOptions& options);
bool left_behind() noexcept;

}  // namespace phe::mpi
