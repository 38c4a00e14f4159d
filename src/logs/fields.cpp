#include "logs/fields.hpp"

#include <algorithm>
#include <cmath>

#include "support/error.hpp"

namespace phe::logs {

namespace {

// Far above any page; tables by action and position are made on the word of the log.
constexpr double most_actions = 1e6;
constexpr double most_slots = 100;

}  // namespace

Result<void> fit_actions(std::size_t entries, std::string_view what, Decision& decision) {
  if (decision.actions == 0) decision.actions = entries;
  if (entries == decision.actions && decision.action < entries) return {};
  if (entries == decision.actions)
    return invalid("unknown action {}: {} has {} entries", decision.action, what, entries);
  return invalid("{} has {} entries, but there are {} actions", what, entries, decision.actions);
}

Result<void> set_actions(double count, Decision& decision) {
  if (!(count >= 1.0 && count <= most_actions && count == std::floor(count)))
    return invalid("actions must be a whole number from 1, got {}", count);
  const auto actions = static_cast<std::size_t>(count);
  if (decision.actions != 0 && actions > decision.actions)
    return invalid("actions is {}, but --actions says {}", actions, decision.actions);
  decision.actions = actions;
  return {};
}

Result<void> set_action(double id, std::size_t first, Decision& decision) {
  const auto lowest = static_cast<double>(first);
  if (!(id >= lowest && id <= most_actions && id == std::floor(id)))
    return invalid("action must be a whole number from {}, got {}", first, id);
  decision.action = static_cast<std::size_t>(id) - first;
  if (decision.actions == 0 || decision.action < decision.actions) return {};
  return invalid("unknown action {}: there are {}, from {} to {}", id, decision.actions, first,
                 first + decision.actions - 1);
}

Result<void> set_reward(double reward, Decision& decision) {
  decision.reward = reward;
  if (std::isfinite(reward)) return {};
  return invalid("reward must be a finite number, got {}", reward);
}

Result<void> set_propensity(double propensity, Decision& decision) {
  decision.propensity = std::min(propensity, 1.0);
  if (propensity > 0.0 && propensity <= 1.0 + single_precision) return {};
  return invalid("propensity must be above 0 and at most 1, got {}", propensity);
}

Result<void> set_slot(double position, Decision& decision) {
  if (!(position >= 1.0 && position <= most_slots && position == std::floor(position)))
    return invalid("position must be a whole number from 1 to {}, got {}", most_slots, position);
  decision.slot = static_cast<std::size_t>(position);
  return {};
}

Result<void> check_probabilities(std::span<const double> probabilities, std::string_view what) {
  double sum = 0.0;
  for (const double p : probabilities) {
    if (!(p >= 0.0 && p <= 1.0 + single_precision))
      return invalid("{} must be from 0 to 1, got {}", what, p);
    sum += p;
  }
  const double rounding = single_precision * static_cast<double>(probabilities.size());
  if (std::abs(sum - 1.0) <= rounding) return {};
  return invalid("{} must sum to 1, got {}", what, sum);
}

Result<void> set_probabilities(std::span<const double> probabilities, Decision& decision) {
  decision.probabilities = probabilities;
  if (probabilities.empty()) return {};
  if (auto done = fit_actions(probabilities.size(), "probabilities", decision); !done) return done;
  if (auto done = check_probabilities(probabilities, "probabilities"); !done) return done;
  const double logged = probabilities[decision.action];
  if (std::abs(logged - decision.propensity) <= single_precision) return {};
  return invalid("propensity is {}, but the action's probability is {}", decision.propensity,
                 logged);
}

Result<void> set_target(std::span<const double> target, Decision& decision) {
  decision.target = target;
  if (target.empty()) return {};
  if (target.size() > 1) {
    if (auto done = fit_actions(target.size(), "the target", decision); !done) return done;
    return check_probabilities(target, "the target's probabilities");
  }
  if (target[0] >= 0.0 && target[0] <= 1.0 + single_precision) return {};
  return invalid("the target's probability must be from 0 to 1, got {}", target[0]);
}

}  // namespace phe::logs
