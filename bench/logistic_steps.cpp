// Newton steps a fit of LogPHE over whole runs, K = 100, a = 1. The counts do not vary between
// runs.
//
//   steps   all steps theta -= (inverse Hessian) gradient, per fit
//   fresh   those of them that summed and factorised a Hessian of their own
//   centres how often a run moved the centre whose Hessian the other steps reuse
#include "phe/log_phe.hpp"
#include "support/rounds.hpp"

namespace phe::bench {

namespace {

void count_steps(benchmark::State& state, const std::string& problem, GlmStop stop) {
  GlmWork sum;
  for (auto _ : state)
    for (std::uint64_t number = 0; number < instances; ++number) {
      const auto bandit = draw_instance(problem, number);
      LogPheOptions options;
      options.perturbation_scale = 1.0;
      options.stop = stop;
      LogPhe policy = LogPhe::create(bandit->arms(), options).value();
      Rng rng(StreamKey(seed).with(Stream::policy));
      play(policy, *bandit, rng, 0, rounds_of_a_run());
      sum.fits += policy.work().fits;
      sum.steps += policy.work().steps;
      sum.newton_steps += policy.work().newton_steps;
      sum.centres += policy.work().centres;
    }
  const auto fits = static_cast<double>(sum.fits);
  state.SetItemsProcessed(static_cast<std::int64_t>(sum.fits));
  state.counters["steps"] = static_cast<double>(sum.steps) / fits;
  state.counters["fresh"] = static_cast<double>(sum.newton_steps) / fits;
  state.counters["centres"] = static_cast<double>(sum.centres) / instances;
}

}  // namespace

void register_benchmarks() {
  for (const int d : {5, 10, 20})
    for (const auto& [name, stop] :
         {std::pair{"arm", GlmStop::arm}, {"gradient", GlmStop::gradient}})
      benchmark::RegisterBenchmark(
          ("steps/" + std::string(name) + "/d:" + std::to_string(d)).c_str(), count_steps,
          "logistic:d=" + std::to_string(d), stop)
          ->Iterations(1);
}

}  // namespace phe::bench
