#include "policies/binary_rewards.hpp"

#include <cmath>

#include "support/error.hpp"

namespace phe {

Result<void> check_binary(std::string_view who, const PolicyContext& context) {
  if (context.binary_rewards) return {};
  return invalid(
      "{}: a logistic model needs rewards that are {} or {}, but those of this problem lie between",
      who, context.rewards.low, context.rewards.high);
}

Result<void> check_binary(std::string_view who, const RewardRange& rewards, const History& history,
                          std::size_t arms) {
  if (!(rewards.low < rewards.high) || !std::isfinite(rewards.high - rewards.low))
    return invalid("{}: the reward range must be finite with low < high, got [{}, {}]", who,
                   rewards.low, rewards.high);
  if (history.rows() != arms)
    return invalid("{}: the history has {} rows, but there are {} arms", who, history.rows(), arms);
  for (ArmId arm = 0; arm < arms; ++arm) {
    const double count = successes(rewards, history, arm);
    if (!(count >= 0) || count > static_cast<double>(history.pulls(arm)) ||
        std::abs(history.reward_sum(arm) - (static_cast<double>(history.pulls(arm)) * rewards.low +
                                            count * (rewards.high - rewards.low))) >
            1e-6 * (rewards.high - rewards.low))
      return invalid("{}: history, row {}: {} rewards that are {} or {} cannot add up to {}", who,
                     arm, history.pulls(arm), rewards.low, rewards.high, history.reward_sum(arm));
  }
  return {};
}

double successes(const RewardRange& rewards, const History& history, ArmId arm) noexcept {
  const double shifted =
      history.reward_sum(arm) - static_cast<double>(history.pulls(arm)) * rewards.low;
  return std::round(shifted / (rewards.high - rewards.low));
}

}  // namespace phe
