// The claims of the proofs, each compared with what was drawn. Theorems and lemmas share one
// counter in the paper: 1 and 4 are theorems (bound.hpp), 2, 3, 5, 6 and 7 are lemmas.
#pragma once

#include <span>
#include <vector>

#include "theory/sampled_state.hpp"

namespace phe::theory {

Check check_per_round_regret(const Frame& frame, const std::vector<SampledState>& states);
Check check_closeness(const Frame& frame, const std::vector<SampledState>& states);
Check check_optimism(const Frame& frame, const std::vector<SampledState>& states);
std::vector<Check> check_concentration(const Frame& frame, const std::vector<SampledState>& states);
std::vector<Check> check_anti_concentration(const Frame& frame,
                                            const std::vector<SampledState>& states);
Check check_variance(const Frame& frame, const std::vector<SampledState>& states);
Result<Check> check_mean(const Frame& frame, std::span<const std::uint64_t> rounds,
                         const std::vector<History>& snapshots, Rng& rng);
std::vector<Check> check_runs(const Frame& frame, const std::vector<WatchedRun>& runs);
std::vector<TailPoint> tails_of(const Frame& frame, const std::vector<SampledState>& states);

}  // namespace phe::theory
