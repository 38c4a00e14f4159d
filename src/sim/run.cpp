#include <algorithm>
#include <ctime>

#include "phe/simulate.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

// Processor time of this thread: what a run costs, however busy the machine is.
double thread_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The loop: select, reward, update, add the gap to the regret.
Result<void> play(const Instance& bandit, Policy& policy, Rng& rng,
                  const std::vector<std::uint64_t>& checkpoints, std::vector<double>& regrets) {
  double regret = 0.0;
  std::uint64_t round = 0;
  for (const std::uint64_t checkpoint : checkpoints) {
    for (; round < checkpoint; ++round) {
      const ArmId arm = policy.select(rng);
      if (arm >= bandit.arms().size()) [[unlikely]]
        return invalid("it chose arm {}, but there are {}", arm, bandit.arms().size());
      if (auto updated = policy.update(arm, bandit.reward(round, arm)); !updated) [[unlikely]]
        return updated;
      regret += bandit.gap(arm);
    }
    regrets.push_back(regret);
  }
  return {};
}

// The same where each round offers other actions.
Result<void> play(const ContextInstance& bandit, Policy& policy, Rng& rng,
                  const std::vector<std::uint64_t>& checkpoints, std::vector<double>& regrets) {
  const std::size_t d = bandit.arms().dimension();
  double regret = 0.0;
  std::uint64_t round = 0;
  ContextRound offered;
  for (const std::uint64_t checkpoint : checkpoints) {
    for (; round < checkpoint; ++round) {
      bandit.offer(round, offered);
      const std::size_t count = offered.means.size();
      const auto chosen =
          policy.select(bandit.one_context() ? Actions::context(offered.features, count)
                                             : Actions::rows(count, offered.features),
                        rng);
      if (!chosen) return chosen.error();
      if (chosen.value() >= count)
        return invalid("it chose action {}, but there are {}", chosen.value(), count);
      const auto action = static_cast<ArmId>(chosen.value());
      const double mean = offered.means[action];
      const double reward = bandit.reward(round, action, mean);
      auto updated =
          bandit.one_context()
              ? policy.update(ActionId{action}, offered.features, reward)
              : policy.update(std::span(offered.features).subspan(action * d, d), reward);
      if (!updated) return updated;
      regret += *std::ranges::max_element(offered.means) - mean;
    }
    regrets.push_back(regret);
  }
  return {};
}

}  // namespace

// No stream depends on the place in a list: adding a policy or a problem changes no other's run.
StreamKey Plan::instance_key(std::size_t problem, std::uint64_t number) const {
  return problems_[problem].instance_key(experiment_.seed, number);
}

Result<std::unique_ptr<const Instance>> Plan::instance(std::size_t problem,
                                                       std::uint64_t number) const {
  return problems_[problem].instance(experiment_.seed, number);
}

Result<RunResult> Plan::run(RunId id) const {
  const PolicySpec& spec = policies_[id.policy];
  auto drawn = instance(id.problem, id.instance);
  if (!drawn) return drawn.error();
  const Instance& bandit = *drawn.value();
  const auto* contexts = dynamic_cast<const ContextInstance*>(&bandit);
  auto made = spec.make(PolicyContext::of(bandit, experiment_.rounds));
  if (!made) return made.error();
  Policy& policy = *made.value();
  Rng rng(
      instance_key(id.problem, id.instance).with(Stream::policy).with(spec.parameters.canonical()));

  const double start = thread_seconds();
  RunResult result{.id = id, .regret = {}, .seconds = 0.0};
  result.regret.reserve(checkpoints_.size());
  const auto played = contexts != nullptr
                          ? play(*contexts, policy, rng, checkpoints_, result.regret)
                          : play(bandit, policy, rng, checkpoints_, result.regret);
  if (!played)
    return invalid("policy {} on problem {}: {}", spec.text, problems_[id.problem].text,
                   played.error().message);
  result.seconds = thread_seconds() - start;
  return result;
}

}  // namespace phe
