// B(m, 1/2) for an array of m: phe's kernel beside the standard library, Boost and GSL.
#include <string>

#include "comparators/comparators.hpp"
#include "kernels/binomial_half.hpp"
#include "kernels/binomial_tables.hpp"
#include "support/rounds.hpp"
#include "support/trials.hpp"

namespace phe::bench {

namespace {

using Draw = std::function<void(std::span<const std::uint64_t>, std::span<double>)>;

void add(const std::string& name, std::vector<std::uint64_t> trials, const Draw& draw) {
  benchmark::RegisterBenchmark(
      name.c_str(), [trials = std::move(trials), draw](benchmark::State& state) {
        std::vector<double> draws(trials.size());
        for (auto _ : state) {
          draw(trials, draws);
          benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trials.size()));
        state.counters["table_bytes"] =
            static_cast<double>(kernels::BinomialTables::instance().bytes());
      });
}

void add_all(const std::string& label, const std::vector<std::uint64_t>& trials) {
  Rng rng(seed);
  add("Binomial/phe/m:" + label, trials,
      [rng](auto m, auto draws) mutable { kernels::binomial_half(m, rng, draws); });
  for (const BinomialComparator& other : binomial_comparators())
    add("Binomial/" + std::string(other.name) + "/m:" + label, trials, other.draw);
}

}  // namespace

void register_benchmarks() {
  add_all("mix", log_uniform_trials());
  for (const std::uint64_t m : {1, 8, 64, 500, 10'000, 100'000, 1'000'000})
    add_all(std::to_string(m), std::vector<std::uint64_t>(4096, m));
}

}  // namespace phe::bench
