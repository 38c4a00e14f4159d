// What phebandits is compared with (python_rounds.py): the same rounds and choices from C++.
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

constexpr const char* problem = "linear:d=10";
constexpr const char* spec = "linphe:a=1";
constexpr std::uint64_t warm_up = 1'000;

void time_choices(benchmark::State& state, const Instance& bandit, const MakePolicy& make) {
  const auto policy = make(bandit);
  Rng rng(seed);
  play(*policy, bandit, rng, 0, warm_up);
  for (auto _ : state) benchmark::DoNotOptimize(policy->select(rng));
  state.SetItemsProcessed(state.iterations());
}

}  // namespace

void register_benchmarks() {
  const auto make = find_policy(spec);
  if (!make) return;
  const auto bandit = draw_instance(problem);
  benchmark::RegisterBenchmark("python/cpp/pair", [=](benchmark::State& state) {
    time_rounds(state, {bandit}, *make, warm_up, warm_up + rounds_of_a_run());
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("python/cpp/select_many", [=](benchmark::State& state) {
    time_choices(state, *bandit, *make);
  });
}

}  // namespace phe::bench
