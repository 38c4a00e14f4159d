// Newton steps a round of LogPHE, over whole runs of 10,000 rounds, K = 100, a = 1.
//
//   steps   all steps theta -= (inverse Hessian) gradient, per fit
//   fresh   those of them that summed and factorised a Hessian of their own
//   centres how often a run moved the centre whose Hessian the other steps reuse
#include <benchmark/benchmark.h>

#include "phe/log_phe.hpp"
#include "problems/logistic.hpp"

namespace phe {
namespace {

void steps(benchmark::State& state, LogisticStop stop, double ridge) {
  LogisticOptions problem;
  problem.dimension = static_cast<std::size_t>(state.range(0));
  const auto family = LogisticProblem::create(problem).value();
  LogPheOptions options;
  options.perturbation_scale = 1.0;
  options.ridge = ridge;
  options.stop = stop;
  constexpr std::uint64_t rounds = 10'000;
  LogisticWork sum;
  std::uint64_t instance = 0;
  for (auto _ : state) {
    const auto bandit = family.draw(StreamKey(1).with(instance)).value();
    LogPhe policy = LogPhe::create(bandit->arms(), options).value();
    Rng rng(StreamKey(2).with(instance++));
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const ArmId arm = policy.select(rng);
      policy.update(arm, bandit->reward(t, arm));
    }
    sum.fits += policy.work().fits;
    sum.steps += policy.work().steps;
    sum.newton_steps += policy.work().newton_steps;
    sum.centres += policy.work().centres;
  }
  const auto fits = static_cast<double>(sum.fits);
  state.counters["steps"] = static_cast<double>(sum.steps) / fits;
  state.counters["fresh"] = static_cast<double>(sum.newton_steps) / fits;
  state.counters["centres"] = static_cast<double>(sum.centres) / static_cast<double>(instance);
}

constexpr auto arm = LogisticStop::arm;
constexpr auto gradient = LogisticStop::gradient;
// The same 10 instances each time, so that the counts are the same each time.
BENCHMARK_CAPTURE(steps, stop_arm, arm, 0.5)->Arg(5)->Arg(10)->Arg(20)->Iterations(10);
BENCHMARK_CAPTURE(steps, stop_gradient, gradient, 0.5)->Arg(5)->Arg(10)->Arg(20)->Iterations(10);
BENCHMARK_CAPTURE(steps, stop_arm_ridge_0, arm, 0.0)->Arg(5)->Arg(10)->Arg(20)->Iterations(10);

}  // namespace
}  // namespace phe
