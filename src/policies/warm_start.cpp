#include "policies/warm_start.hpp"

#include "core/perturbation_scale.hpp"
#include "support/error.hpp"

namespace phe {

Result<void> check_history(std::string_view who, const History& history, std::size_t arms,
                           const RewardRange& rewards, double perturbation_scale) {
  if (history.rows() != arms)
    return invalid("{}: the history has {} rows, but there are {} arms", who, history.rows(), arms);
  const auto [low, high] = rewards;
  for (ArmId arm = 0; arm < history.rows(); ++arm) {
    const auto pulls = static_cast<double>(history.pulls(arm));
    const double sum = history.reward_sum(arm);
    // A sum of rewards may step over the edge by its rounding.
    const double slack = 1e-9 * pulls * (high - low);
    if (!(sum >= pulls * low - slack && sum <= pulls * high + slack))
      return invalid("{}: history, row {}: {} rewards in [{}, {}] cannot add up to {}", who, arm,
                     history.pulls(arm), low, high, sum);
    if (pulls * perturbation_scale > static_cast<double>(PerturbationScale::most_trials))
      return invalid("{}: history, row {}: a times the pulls must be at most 2^40, got {} * {}",
                     who, arm, perturbation_scale, history.pulls(arm));
  }
  return {};
}

Result<void> check_memory_key(std::string_view who, const Arms& arms,
                              std::optional<std::uint64_t> memory) {
  if (!memory) return {};
  if (!arms.empty())
    return invalid("{}: memory is for contexts; fixed arms take no more room with time", who);
  if (*memory > 1'000'000'000)
    return invalid("{}: memory must be at most 1000000000 rows, or all, got {}", who, *memory);
  return {};
}

}  // namespace phe
