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
    demand(policy.update(arm, reward).ok(), "a reward of the problem is learnt");
  }
}

void play(Policy& policy, const ContextInstance& bandit) {
  Rng rng(1);
  ContextRound offered;
  const std::size_t d = bandit.arms().dimension();
  for (std::uint64_t round = 0; round < rounds; ++round) {
    bandit.offer(round, offered);
    const std::size_t count = offered.means.size();
    const auto chosen =
        policy.select(bandit.one_context() ? Actions::context(offered.features, count)
                                           : Actions::rows(count, offered.features),
                      rng);
    demand(chosen.ok() && chosen.value() < count, "a policy chooses an action that is offered");
    const auto action = static_cast<ArmId>(chosen.value());
    const double reward = bandit.reward(round, action, offered.means[action]);
    const auto learnt =
        bandit.one_context()
            ? policy.update(ActionId{action}, offered.features, reward)
            : policy.update(std::span(offered.features).subspan(action * d, d), reward);
    demand(learnt.ok(), "a reward of the problem is learnt");
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
  const auto made = policy->make(PolicyContext::of(instance, rounds));
  if (!made) return demand_one_line(made.error().message);
  if (const auto* contexts = dynamic_cast<const ContextInstance*>(&instance))
    play(*made.value(), *contexts);
  else
    play(*made.value(), instance);
}

}  // namespace phe::fuzz
