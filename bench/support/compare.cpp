#include "support/compare.hpp"

namespace phe::bench {

namespace {

void add(const std::string& name, const Bandits& bandits, const MakePolicy& make) {
  benchmark::RegisterBenchmark(name.c_str(), [bandits, make](benchmark::State& state) {
    time_rounds(state, bandits, make, 0, rounds_of_a_run());
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

void compare_policies(const std::string& problem, const std::vector<Contender>& contenders,
                      const std::vector<PolicyComparator>& comparators) {
  for (const auto* d : {"5", "10", "20"}) {
    Bandits bandits;
    for (std::uint64_t i = 0; i < instances; ++i)
      bandits.push_back(draw_instance(problem + ":d=" + d, i));
    const std::string suffix = std::string("/d:") + d;
    for (const Contender& contender : contenders)
      if (const auto make = find_policy(contender.spec))
        add(contender.name + "/phe" + suffix, bandits, *make);
    for (const PolicyComparator& other : comparators)
      add(std::string(other.name) + "/eigen" + suffix, bandits, [other](const Instance& instance) {
        return other.make(instance.arms(), rounds_of_a_run());
      });
  }
}

}  // namespace phe::bench
