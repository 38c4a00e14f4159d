#include <algorithm>

#include "phe/simulate.hpp"
#include "support/error.hpp"
#include "support/thread_seconds.hpp"

namespace phe {

namespace {

// What a run adds up from round to round, put down at each checkpoint. The optional columns cost
// nothing where nobody asked for them.
template <bool with_columns>
struct Sums {
  double regret = 0.0;
  double reward = 0.0;
  std::uint64_t best_pulls = 0;

  void add(double gap, double its_reward) noexcept {
    regret += gap;
    if constexpr (with_columns) {
      reward += its_reward;
      best_pulls += gap == 0.0 ? 1 : 0;
    }
  }
  void put_down(RunResult& result) const {
    result.regret.push_back(regret);
    if constexpr (with_columns) {
      result.reward.push_back(reward);
      result.best_pulls.push_back(best_pulls);
    }
  }
};

// The loop: select, reward, update, add the gap to the regret.
template <bool with_columns>
Result<void> play(const Instance& bandit, Policy& policy, Rng& rng,
                  const std::vector<std::uint64_t>& checkpoints, RunResult& result) {
  Sums<with_columns> sums;
  std::uint64_t round = 0;
  for (const std::uint64_t checkpoint : checkpoints) {
    for (; round < checkpoint; ++round) {
      const ArmId arm = policy.select(rng);
      if (arm >= bandit.arms().size()) [[unlikely]] {
        if (auto fault = policy.fault(); !fault) return fault;
        return invalid("it chose arm {}, but there are {}", arm, bandit.arms().size());
      }
      const double reward = bandit.reward(round, arm);
      if (auto updated = policy.update(arm, reward); !updated) [[unlikely]]
        return updated;
      sums.add(bandit.gap(arm), reward);
    }
    sums.put_down(result);
  }
  return {};
}

// The same where each round offers other actions.
template <bool with_columns>
Result<void> play(const ContextInstance& bandit, Policy& policy, Rng& rng,
                  const std::vector<std::uint64_t>& checkpoints, RunResult& result) {
  const std::size_t d = bandit.arms().dimension();
  Sums<with_columns> sums;
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
      sums.add(*std::ranges::max_element(offered.means) - mean, reward);
    }
    sums.put_down(result);
  }
  return {};
}

template <bool with_columns>
Result<void> play_either(const Instance& bandit, Policy& policy, Rng& rng,
                         const std::vector<std::uint64_t>& checkpoints, RunResult& result) {
  const auto* const contexts = dynamic_cast<const ContextInstance*>(&bandit);
  return contexts != nullptr ? play<with_columns>(*contexts, policy, rng, checkpoints, result)
                             : play<with_columns>(bandit, policy, rng, checkpoints, result);
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
  auto made = spec.make(PolicyContext::of(bandit, experiment_.rounds));
  if (!made) return made.error();
  Policy& policy = *made.value();
  Rng rng(
      instance_key(id.problem, id.instance).with(Stream::policy).with(spec.parameters.canonical()));

  const double start = thread_seconds();
  RunResult result{.id = id, .regret = {}, .seconds = 0.0};
  result.regret.reserve(checkpoints_.size());
  const auto played = experiment_.columns.empty()
                          ? play_either<false>(bandit, policy, rng, checkpoints_, result)
                          : play_either<true>(bandit, policy, rng, checkpoints_, result);
  if (!played)
    return invalid("policy {} on problem {}: {}", spec.text, problems_[id.problem].text,
                   played.error().message);
  result.seconds = thread_seconds() - start;
  if (!has_column("reward")) result.reward.clear();
  if (!has_column("best_pulls")) result.best_pulls.clear();
  return result;
}

}  // namespace phe
