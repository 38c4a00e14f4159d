#include <ctime>

#include "phe/simulate.hpp"

namespace phe {

namespace {

// Processor time of this thread: what a run costs, however busy the machine is.
double thread_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Result<RunResult> Plan::run(RunId id) const {
  const ProblemSpec& problem = problems_[id.problem];
  const PolicySpec& spec = policies_[id.policy];
  // Neither stream depends on the place in a list: adding a policy changes no other's run.
  const StreamKey instance_key =
      StreamKey(experiment_.seed).with(problem.parameters.canonical()).with(id.instance);
  auto instance = problem.problem->draw(instance_key);
  if (!instance) return instance.error();
  const Instance& bandit = *instance.value();
  auto made = spec.make({bandit.arms(), experiment_.rounds, bandit.reward_range(),
                         bandit.binary_rewards()});
  if (!made) return made.error();
  Policy& policy = *made.value();
  Rng rng(instance_key.with(Stream::policy).with(spec.parameters.canonical()));

  const double start = thread_seconds();
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
  result.seconds = thread_seconds() - start;
  return result;
}

}  // namespace phe
