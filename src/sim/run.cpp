#include <chrono>

#include "phe/simulate.hpp"

namespace phe {

Result<RunResult> Plan::run(RunId id) const {
  const ProblemSpec& problem = problems_[id.problem];
  const PolicySpec& spec = policies_[id.policy];
  // Neither stream depends on the place in a list: adding a policy changes no other's run.
  const StreamKey instance_key =
      StreamKey(experiment_.seed).with(problem.parameters.canonical()).with(id.instance);
  auto instance = problem.problem->draw(instance_key);
  if (!instance) return instance.error();
  const Instance& bandit = *instance.value();
  auto made = spec.make({bandit.arms(), experiment_.rounds, bandit.reward_range()});
  if (!made) return made.error();
  Policy& policy = *made.value();
  Rng rng(instance_key.with(Stream::policy).with(spec.parameters.canonical()));

  const auto start = std::chrono::steady_clock::now();
  RunResult result{.id = id, .regret = {}, .seconds = 0.0};
  result.regret.reserve(checkpoints_.size());
  double regret = 0.0;
  std::uint64_t round = 0;
  for (const std::uint64_t checkpoint : checkpoints_) {
    for (; round < checkpoint; ++round) {
      const ArmId arm = policy.select(rng);
      policy.update(arm, bandit.reward(round, arm));
      regret += bandit.gap(arm);
    }
    result.regret.push_back(regret);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  result.seconds = elapsed.count();
  return result;
}

}  // namespace phe
