// How LinPHE and GLM-PHE are made: what they ask of a history that they are given, and of the key
// `memory`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "policies/learner_policy.hpp"
#include "support/error.hpp"

namespace phe {

// The rows are the arms, the reward sum of each is one that its pulls can have, and the
// pseudo-rewards of none are more than can be drawn exactly.
Result<void> check_history(std::string_view who, const History& history, std::size_t arms,
                           const RewardRange& rewards, double perturbation_scale);

Result<void> check_memory_key(std::string_view who, const Arms& arms,
                              std::optional<std::uint64_t> memory);
inline constexpr auto memory_meaning =
    "contexts: exact pseudo-rewards for all rows | the last N, the older ones as one Gaussian";

// The policy around a learner, LinPHE's or one with a generalised linear model, as its options say.
template <class PheLearner>
Result<std::unique_ptr<LearnerPolicy>> make_phe(Arms arms, typename PheLearner::Options options) {
  const std::string_view who = PheLearner::keys().policy();
  if (arms.dimension() < 1) return invalid("{}: there must be at least 1 feature, got 0", who);
  if (options.start == Start::automatic) options.start = arms.empty() ? Start::prior : Start::basis;
  if (options.start == Start::basis && arms.empty())
    return invalid("{}: start=basis needs fixed arms", who);
  auto learner = PheLearner::create(arms, options);
  if (!learner) return learner.error();
  return std::make_unique<LearnerPolicy>(std::move(arms),
                                         std::make_unique<PheLearner>(std::move(learner).value()),
                                         options.start, options.rewards);
}

// The same, and it has learnt `history`.
template <class PheLearner>
Result<std::unique_ptr<LearnerPolicy>> make_phe(Arms arms, typename PheLearner::Options options,
                                                const History& history) {
  const std::string_view who = PheLearner::keys().policy();
  const std::size_t count = arms.size();
  auto policy = make_phe<PheLearner>(std::move(arms), options);
  if (!policy) return policy;
  if (auto checked =
          check_history(who, history, count, options.rewards, options.perturbation_scale);
      !checked)
    return checked.error();
  policy.value()->learn(history);
  return policy;
}

}  // namespace phe
