// Names of problems and policies, `name:key=value,..`: a line that says the problem, a line that
// says the policy. Whatever the registry accepts runs a few rounds.
#include <memory>

#include "phe/registry.hpp"
#include "phe/rng.hpp"
#include "small.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

constexpr std::uint64_t rounds = 24;

void demand_stable(const Parameters& parameters, const std::string& canonical_again) {
  demand(parameters.canonical() == canonical_again, "a canonical name is its own canonical name");
}

void play(Policy& policy, const Instance& bandit) {
  Rng rng(1);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const ArmId arm = policy.select(rng);
    demand(arm < bandit.arms().size(), "a policy chooses an arm that exists");
    const double reward = bandit.reward(round, arm);
    const auto [low, high] = bandit.reward_range();
    demand(reward >= low && reward <= high, "a reward lies in its range");
    demand(bandit.gap(arm) >= 0, "no arm is better than the best");
    policy.update(arm, reward);
  }
}

}  // namespace

void check(std::string_view input) {
  static const Registry registry = Registry::built_in();
  static const ProblemSpec usual = registry.problem("linear:d=3,arms=9").value();
  if (input.find('/') != std::string_view::npos) return;  // names no file outside

  const auto end = input.find('\n');
  auto problem = registry.problem(input.substr(0, end));
  if (problem && problem->parameters.files().empty())  // a file stands by its digest in there
    demand_stable(problem->parameters,
                  registry.problem(problem->parameters.canonical())->parameters.canonical());
  if (!problem) demand_one_line(problem.error().message);
  if (end == std::string_view::npos) return;

  const auto policy = registry.policy(input.substr(end + 1));
  if (!policy) return;
  demand_stable(policy->parameters,
                registry.policy(policy->parameters.canonical())->parameters.canonical());
  if (!small(policy.value())) return;
  const Problem& chosen = problem && small(*problem->problem) ? *problem->problem : *usual.problem;
  const auto bandit = chosen.draw(StreamKey(1));
  if (!bandit) return demand_one_line(bandit.error().message);
  const Instance& instance = *bandit.value();
  const auto made =
      policy->make({instance.arms(), rounds, instance.reward_range(), instance.binary_rewards()});
  if (!made) return demand_one_line(made.error().message);
  play(*made.value(), instance);
}

}  // namespace phe::fuzz
