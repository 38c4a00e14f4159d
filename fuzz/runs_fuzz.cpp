// A short run of a policy on any arms, on every SIMD target: the same arms in the same order, and
// for LinPHE and the logistic policies the same estimates to the bit.
#include <fmt/format.h>

#include "every_target.hpp"
#include "numbers.hpp"
#include "phe/registry.hpp"
#include "policies/glm_learner.hpp"
#include "policies/learner_policy.hpp"
#include "policies/lin_phe_learner.hpp"
#include "small.hpp"
#include "support/text.hpp"

namespace phe::fuzz {

namespace {

constexpr std::uint64_t rounds = 12;

// The policy's name with some of its numbers changed.
std::string name_of(const PolicyEntry& entry, Numbers& in) {
  std::string name = entry.name;
  char mark = ':';
  for (const ParameterInfo& key : entry.parameters) {
    if (!parse_number<double>(key.default_value) || !in.flag()) continue;
    name += in.flag() ? fmt::format("{}{}={}", mark, key.key, in.count(6))
                      : fmt::format("{}{}={}", mark, key.key, in.size_of());
    mark = ',';
  }
  return name;
}

std::span<const double> estimate_of(const Policy& policy) {
  const auto* around = dynamic_cast<const LearnerPolicy*>(&policy);
  if (around == nullptr) return {};
  const Learner* learner = &around->learner();
  if (const auto* linear = dynamic_cast<const LinPheLearner*>(learner)) return linear->estimate();
  if (const auto* logistic = dynamic_cast<const LogisticLearner*>(learner))
    return logistic->estimate();
  return {};
}

// Arms pulled, and the estimate after each round.
std::vector<double> play(Policy& policy, std::size_t arms, std::uint64_t seed) {
  std::vector<double> trace;
  Rng rng(seed);
  SplitMix rewards{StreamKey(seed)};
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const ArmId arm = policy.select(rng);
    demand(arm < arms, "a policy chooses an arm that exists");
    demand(policy.update(arm, static_cast<double>(rewards() & 1)).ok(), "0 and 1 are rewards");
    trace.push_back(arm);
    for (const double value : estimate_of(policy)) trace.push_back(value);
  }
  return trace;
}

}  // namespace

void check(std::string_view input) {
  static const Registry registry = Registry::built_in();
  Numbers in(input);
  const auto& entries = registry.policies();
  const PolicyEntry& entry = *entries[in.size(0, entries.size() - 1)];
  const auto policy = registry.policy(name_of(entry, in));
  demand(policy.ok(), "a name made of known keys is read");
  if (!small(policy.value())) return;
  const Arms arms = in.arms(in.size(1, 20), in.size(1, 7));
  const std::uint64_t seed = in.word();
  const PolicyContext context{
      .arms = arms, .rounds = rounds, .rewards = {}, .binary_rewards = true};
  if (const auto made = policy->make(context); !made) return demand_one_line(made.error().message);
  demand_equal_targets(policy->text, [&] {
    const auto made = policy->make(context);
    return play(*made.value(), arms.size(), seed);
  });
}

}  // namespace phe::fuzz
