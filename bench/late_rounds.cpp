// Whether rounds grow slower as the history grows: rounds from 1,000 on, and from 90,000 on.
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

void add(const std::string& name, const std::string& problem, const std::string& policy) {
  const auto make = find_policy(policy);
  if (!make) return;
  const auto bandit = draw_instance(problem);
  for (const std::uint64_t first : {1'000, 90'000})
    benchmark::RegisterBenchmark(("late/" + name + "/t:" + std::to_string(first)).c_str(),
                                 [=](benchmark::State& state) {
                                   time_rounds(state, {bandit}, *make, first,
                                               first + rounds_of_a_run());
                                 })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
}

}  // namespace

void register_benchmarks() {
  add("linphe", "linear:d=10", "linphe:a=1");
  add("lints", "linear:d=10", "lints");
  if (Registry::built_in().problem("logistic")) add("logphe", "logistic:d=10", "logphe:a=1");
}

}  // namespace phe::bench
