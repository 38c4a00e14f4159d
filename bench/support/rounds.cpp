#include "support/rounds.hpp"

#include <cstdio>
#include <cstdlib>

namespace phe::bench {

namespace {

const Registry& registry() {
  static const Registry instance = Registry::built_in();
  return instance;
}

template <class T>
T or_exit(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "bench: %s\n", result.error().message.c_str());
  std::exit(1);
}

}  // namespace

std::uint64_t rounds_of_a_run() { return std::getenv("PHE_BENCH_QUICK") ? 1'000 : 10'000; }

std::shared_ptr<const Instance> draw_instance(const std::string& problem, std::uint64_t number) {
  return or_exit(or_exit(registry().problem(problem)).problem->draw(StreamKey(seed).with(number)));
}

std::optional<MakePolicy> find_policy(const std::string& spec) {
  auto found = registry().policy(spec);
  if (!found) {
    std::fprintf(stderr, "bench: skipped %s: %s\n", spec.c_str(), found.error().message.c_str());
    return std::nullopt;
  }
  return [policy = std::move(found).value()](const Instance& bandit) {
    return or_exit(policy.make(
        {bandit.arms(), rounds_of_a_run(), bandit.reward_range(), bandit.binary_rewards()}));
  };
}

void play(Policy& policy, const Instance& bandit, Rng& rng, std::uint64_t first,
          std::uint64_t last) {
  for (std::uint64_t round = first; round < last; ++round) {
    const ArmId arm = policy.select(rng);
    static_cast<void>(policy.update(arm, bandit.reward(round, arm)));
  }
}

void time_rounds(benchmark::State& state, const Bandits& bandits, const MakePolicy& make,
                 std::uint64_t first, std::uint64_t last) {
  for (auto _ : state)
    for (const auto& bandit : bandits) {
      state.PauseTiming();
      const auto policy = make(*bandit);
      Rng rng(StreamKey(seed).with(Stream::policy));
      play(*policy, *bandit, rng, 0, first);
      state.ResumeTiming();
      play(*policy, *bandit, rng, first, last);
    }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(bandits.size() * (last - first)));
}

}  // namespace phe::bench
