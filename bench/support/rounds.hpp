// Rounds of a policy on an instance of the paper's problems, as all benchmarks time them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "phe/problem.hpp"
#include "phe/registry.hpp"

namespace phe::bench {

inline constexpr std::uint64_t seed = 1;

// PHE_BENCH_QUICK=1: a tenth of the rounds, to see that everything runs.
std::uint64_t rounds_of_a_run();

// The instances that everyone is timed on, the NumPy programs too. Several, because the number of
// arms that are ever pulled, and with it the time of a round, differs between instances.
inline constexpr std::uint64_t instances = 4;
std::shared_ptr<const Instance> draw_instance(const std::string& problem, std::uint64_t number = 0);

using MakePolicy = std::function<std::unique_ptr<Policy>(const Instance&)>;
// Nothing, and a word on stderr, when the library has no policy of that name.
std::optional<MakePolicy> find_policy(const std::string& spec);

// Plays rounds first .. last - 1.
void play(Policy& policy, const Instance& bandit, Rng& rng, std::uint64_t first,
          std::uint64_t last);

// Times rounds first .. last - 1 of a new policy on each bandit, over and over; an item is a round.
// Making the policy and the rounds before `first` are not timed.
using Bandits = std::vector<std::shared_ptr<const Instance>>;
void time_rounds(benchmark::State& state, const Bandits& bandits, const MakePolicy& make,
                 std::uint64_t first, std::uint64_t last);

// Each program adds its benchmarks here; support/main.cpp runs them.
void register_benchmarks();

}  // namespace phe::bench
