// What the policies' create() and entries share: checks of a user's numbers, common keys, and how a
// learner becomes a policy.
#pragma once

#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>

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

inline Result<void> check_probability(std::string_view policy, std::string_view key, double value) {
  if (value >= 0 && value <= 1) return {};
  return invalid("{}: {} must be between 0 and 1, got {}", policy, key, value);
}

// For a probability whose logarithm is taken.
inline Result<void> check_confidence(std::string_view policy, std::string_view key, double value) {
  if (value >= 1e-300 && value < 1) return {};
  return invalid("{}: {} must be at least 1e-300 and below 1, got {}", policy, key, value);
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

// The value of a key whose default is "auto": nothing when it is not given.
inline std::optional<double> real_or_auto(Parameters& p, std::string_view key) {
  if (p.text(key) == "auto") return std::nullopt;
  return p.real(key);
}

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
Result<std::unique_ptr<Policy>> policy_around(Parameters& p, const PolicyContext& context,
                                              const Shape& shape,
                                              const std::function<BoxedLearner(Start)>& make);

// The policy around the learner that `make` creates, once all keys have been read.
template <class Make>
Result<std::unique_ptr<Policy>> make_policy(Parameters& p, const PolicyContext& context,
                                            const Make& make, const Shape& shape = {}) {
  return policy_around(p, context, shape, [&](Start start) -> BoxedLearner {
    auto learner = [&] {
      if constexpr (std::is_invocable_v<Make, Start>)
        return make(start);
      else
        return make();
    }();
    if (!learner) return learner.error();
    using Concrete = std::remove_cvref_t<decltype(learner.value())>;
    return std::make_unique<Concrete>(std::move(learner).value());
  });
}

}  // namespace phe
