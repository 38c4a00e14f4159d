// What every format demands of a decision. An error names the part, its value and what is allowed;
// the decision is then not to be used.
#pragma once

#include <span>
#include <string_view>

#include "logs/decision.hpp"
#include "phe/result.hpp"

namespace phe::logs {

// Logs are often written in single precision: 0.05 comes as 0.05000000074505806.
inline constexpr double single_precision = 1e-6;

Result<void> set_actions(double count, Decision& decision);
// `id` is the log's own number of the action, which counts from `first`. After set_actions.
Result<void> set_action(double id, std::size_t first, Decision& decision);
Result<void> set_reward(double reward, Decision& decision);
Result<void> set_propensity(double propensity, Decision& decision);
Result<void> set_slot(double position, Decision& decision);

// A list has one entry for each action: as many as are known, or it says how many there are.
Result<void> fit_actions(std::size_t entries, std::string_view what, Decision& decision);
// Of each action; they must fit to the number of actions and to the propensity. After all others.
Result<void> set_probabilities(std::span<const double> probabilities, Decision& decision);
// One number, P(action), or one for each action. After set_actions.
Result<void> set_target(std::span<const double> target, Decision& decision);

// That all are from 0 to 1, and sum to 1.
Result<void> check_probabilities(std::span<const double> probabilities, std::string_view what);

}  // namespace phe::logs
