// What true propensities cost: `decide` with M = 16 models beside `select`, and the parts of a
// contextual round that every policy has. K = 100; a policy that has learnt from 2,000 rounds.
#include "kernels/score_arms.hpp"
#include "kernels/score_rows.hpp"
#include "phe/decision.hpp"
#include "support/contexts.hpp"

namespace phe::bench {

namespace {

constexpr std::uint64_t rounds_before = 2'000;

template <class Call>
void add(const std::string& name, Call call) {
  benchmark::RegisterBenchmark(name.c_str(), [call](benchmark::State& state) mutable {
    std::uint64_t round = 0;
    for (auto _ : state) benchmark::DoNotOptimize(call(round++));
    state.SetItemsProcessed(state.iterations());
  });
}

struct Fixed {
  std::shared_ptr<const Instance> bandit;
  std::shared_ptr<Policy> policy;
  Rng rng{StreamKey(seed).with(Stream::policy)};
  Decision decision{};
};

void compare_fixed(const std::string& name, const std::string& spec, const std::string& problem,
                   const std::string& d) {
  const auto make = find_policy(spec);
  if (!make) return;
  Fixed fixed{draw_instance(problem + ":d=" + d), nullptr};
  fixed.policy = (*make)(*fixed.bandit);
  play(*fixed.policy, *fixed.bandit, fixed.rng, 0, rounds_before);
  add("decide/" + name + "/fixed/select/d:" + d,
      [fixed](std::uint64_t) mutable { return fixed.policy->select(fixed.rng); });
  add("decide/" + name + "/fixed/decide/d:" + d, [fixed](std::uint64_t) mutable {
    static_cast<void>(fixed.policy->decide(fixed.rng, {}, fixed.decision));
    return fixed.decision.action;
  });
}

void compare_contexts(const std::string& name, const std::string& spec, const std::string& problem,
                      const std::string& d) {
  const auto found = find_context_policy(spec);
  if (!found) return;
  const auto contexts = std::make_shared<const Contexts>(draw_contexts(problem + d));
  const auto player =
      std::make_shared<ContextPlayer>(make_player(*found, *contexts, rounds_of_a_run()));
  play_rows(*player, *contexts, 0, rounds_before);
  add("decide/" + name + "/contexts/select/d:" + d,
      [=](std::uint64_t round) { return player->select(contexts->offered(round)); });
  add("decide/" + name + "/contexts/decide/d:" + d,
      [=](std::uint64_t round) { return player->decide(contexts->offered(round)); });
}

// What a contextual round cannot do without: K d numbers that were not seen before.
void time_parts(const std::string& d) {
  const auto contexts =
      std::make_shared<const Contexts>(draw_contexts("linear:contexts,arms=100,d=" + d));
  const std::vector<double> theta(contexts->dimension, 0.25);
  std::vector<double> scores((contexts->actions + 7) / 8 * 8);
  add("parts/finite/d:" + d,
      [=](std::uint64_t round) { return kernels::all_finite(contexts->offered(round)); });
  add("parts/scores/d:" + d, [=](std::uint64_t round) mutable {
    kernels::score_rows(contexts->offered(round), theta, scores);
    return scores[0];
  });
  add("parts/best/d:" + d, [=](std::uint64_t) { return kernels::best_arms(scores).first; });
}

}  // namespace

void register_benchmarks() {
  for (const auto* d : {"5", "10", "20"}) {
    time_parts(d);
    for (const auto* policy : {"linphe", "lints"}) {
      compare_fixed(policy, policy, "linear", d);
      compare_contexts(policy, policy, "linear:contexts,arms=100,d=", d);
    }
    compare_contexts("linphe-1024", "linphe:memory=1024", "linear:contexts,arms=100,d=", d);
  }
  compare_fixed("logphe", "logphe", "logistic", "10");
}

}  // namespace phe::bench
