// What every logistic policy asks of its rewards and of a history that it is given.
#pragma once

#include <cassert>
#include <string_view>

#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "phe/registry.hpp"
#include "phe/result.hpp"

namespace phe {

// A logistic model needs rewards that take two values, failure (low) and success (high).
Result<void> check_binary(std::string_view who, const PolicyContext& context);
// The rows are the arms, and the reward sum of each is that of a whole number of successes.
Result<void> check_binary(std::string_view who, const RewardRange& rewards, const History& history,
                          std::size_t arms);
// 1 for a success, 0 for a failure. Precondition: the reward is one of the two.
inline double binary(const RewardRange& rewards, double reward) noexcept {
  assert(reward == rewards.low || reward == rewards.high);
  return reward == rewards.high ? 1.0 : 0.0;
}

// The number of successes in row `arm`.
double successes(const RewardRange& rewards, const History& history, ArmId arm) noexcept;

}  // namespace phe
