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

// No stream depends on the place in a list: adding a policy or a problem changes no other's run.
StreamKey Plan::instance_key(std::size_t problem, std::uint64_t number) const {
  return problems_[problem].instance_key(experiment_.seed, number);
}

Result<std::unique_ptr<const Instance>> Plan::instance(std::size_t problem,
                                                       std::uint64_t number) const {
  return problems_[problem].problem->draw(instance_key(problem, number));
}

Result<RunResult> Plan::run(RunId id) const {
  const PolicySpec& spec = policies_[id.policy];
  auto drawn = instance(id.problem, id.instance);
  if (!drawn) return drawn.error();
  const Instance& bandit = *drawn.value();
  auto made = spec.make(
      {bandit.arms(), experiment_.rounds, bandit.reward_range(), bandit.binary_rewards()});
  if (!made) return made.error();
  Policy& policy = *made.value();
  Rng rng(
      instance_key(id.problem, id.instance).with(Stream::policy).with(spec.parameters.canonical()));

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
