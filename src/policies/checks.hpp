// What the policies' create() and entries share: checks of a user's numbers, common keys, and how a
// learner becomes a policy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/perturbation_scale.hpp"
#include "models/model_memory.hpp"
#include "phe/registry.hpp"
#include "policies/door.hpp"
#include "policies/learner.hpp"
#include "support/error.hpp"

namespace phe {

inline Result<void> check_positive(std::string_view policy, std::string_view key, double value) {
  if (!(value > 0 && std::isfinite(value)))
    return invalid("{}: {} must be > 0 and finite, got {}", policy, key, value);
  // Squares of it, or of its inverse, times those of features stay in the range of doubles.
  if (value >= 1e-50 && value <= 1e50) return {};
  return invalid("{}: {} must be between 1e-50 and 1e+50, got {}", policy, key, value);
}

inline Result<void> check_scale(std::string_view policy, std::string_view /*key*/, double value) {
  if (const auto scale = PerturbationScale::from(value); !scale)
    return invalid("{}: {}", policy, scale.error().message);
  return {};
}

inline Result<void> check_probability(std::string_view policy, std::string_view key, double value) {
  if (value >= 0 && value <= 1) return {};
  return invalid("{}: {} must be between 0 and 1, got {}", policy, key, value);
}

// For a probability whose logarithm is taken.
inline Result<void> check_confidence(std::string_view policy, std::string_view key, double value) {
  if (value >= 1e-300 && value < 1) return {};
  return invalid("{}: {} must be at least 1e-300 and below 1, got {}", policy, key, value);
}

// What auto stands for: 1 / n.
inline double one_in(std::uint64_t rounds) noexcept {
  return 1.0 / static_cast<double>(std::max<std::uint64_t>(rounds, 2));
}

// That a linear model of the arms can be made.
inline Result<void> check_arms(std::string_view policy, const Arms& arms) {
  for (std::size_t j = 0; j < arms.dimension(); ++j)
    for (ArmId arm = 0; arm < arms.size(); ++arm)
      if (!(std::abs(arms.at(arm, j)) <= largest_feature))
        return invalid("{}: row {}, column {}: a feature must be at most {} in size, got {}",
                       policy, arm + 1, j + 1, largest_feature, arms.at(arm, j));
  return check_model_memory(policy, arms);
}

inline Result<void> check_range(std::string_view policy, RewardRange range) {
  if (range.low < range.high && std::isfinite(range.high - range.low)) return {};
  return invalid("{}: the reward range must be finite with low < high, got [{}, {}]", policy,
                 range.low, range.high);
}

inline Result<void> first_error(std::initializer_list<Result<void>> checks) {
  for (const auto& check : checks)
    if (!check) return check;
  return {};
}

// Names of an enumeration's values, for people.
template <class Enum>
using Named = std::vector<std::pair<std::string, Enum>>;

template <class Enum>
Enum read_named(Parameters& p, std::string_view key, const Named<Enum>& names) {
  std::vector<std::string> choices;
  for (const auto& [name, value] : names) choices.push_back(name);
  return names[p.choice(key, choices)].second;
}

template <class Enum>
std::string name_among(const Named<Enum>& names, Enum value) {
  for (const auto& [name, named] : names)
    if (named == value) return name;
  return "another";
}

const Named<Start>& start_names();

// A policy's own keys, and those that all have: start, disjoint.
std::vector<ParameterInfo> with_common_keys(std::vector<ParameterInfo> keys);

// What start=auto means, and what a policy can do.
struct Shape {
  Start fixed = Start::none;     // with fixed arms
  Start contexts = Start::none;  // in contexts
  bool has_prior = false;        // the learner can perturb its prior: start=prior is allowed
  bool fixed_arms_only = false;  // features play no part
  bool either_model = false;     // shared and disjoint are the same
};

// The key `start`, resolved for what is offered.
Result<Start> read_start(Parameters& p, const PolicyContext& context, const Shape& shape);

using BoxedLearner = Result<std::unique_ptr<Learner>>;
// The policy around the learner that `make` creates, once all keys have been read.
Result<std::unique_ptr<Policy>> policy_around(Parameters& p, const PolicyContext& context,
                                              const Shape& shape,
                                              const std::function<BoxedLearner(Start)>& make);

}  // namespace phe
