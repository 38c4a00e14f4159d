// What every logistic policy asks of its rewards and of a history that it is given.
#pragma once

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
// The number of successes in row `arm`.
double successes(const RewardRange& rewards, const History& history, ArmId arm) noexcept;

}  // namespace phe
