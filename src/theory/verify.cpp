#include "theory/verify.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "support/error.hpp"
#include "support/on_threads.hpp"
#include "theory/lemmas.hpp"
#include "theory/sampled_state.hpp"

namespace phe::theory {

namespace {

// States early, midway and late: t = d + 1, then a geometric ladder to n.
std::vector<std::uint64_t> snapshot_rounds(std::uint64_t dimension, std::uint64_t rounds) {
  const auto first = static_cast<double>(dimension + 1);
  const double ratio = static_cast<double>(rounds) / first;
  std::vector<std::uint64_t> chosen;
  for (int i = 0; i < 4; ++i) {
    const auto t = static_cast<std::uint64_t>(std::llround(first * std::pow(ratio, i / 3.0)));
    if (chosen.empty() || t > chosen.back()) chosen.push_back(t);
  }
  return chosen;
}

// All runs, each from a stream of its own.
Result<std::vector<WatchedRun>> watched_runs(const Instance& instance, const VerifyOptions& options,
                                             const Frame& frame,
                                             const std::vector<std::uint64_t>& states,
                                             StreamKey seed) {
  std::vector<std::optional<Result<WatchedRun>>> watched(options.runs);
  const auto watched_run = [&](std::uint64_t run) -> Result<WatchedRun> {
    try {
      Rng rng(seed.with(Stream::policy).with(run));
      return watch(instance, frame.policy, frame.shift, frame.theta, options.rounds,
                   run * options.rounds, states, rng);
    } catch (const std::bad_alloc&) {
      return invalid("run {}: there is not enough memory", run);
    }
  };
  std::atomic<std::uint64_t> next = 0;
  std::mutex reporting;
  on_threads(options.threads, [&] {
    for (std::uint64_t run = next++; run < options.runs; run = next++) {
      const auto start = std::chrono::steady_clock::now();
      watched[run] = watched_run(run);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      const std::lock_guard lock(reporting);
      if (options.on_run) options.on_run(spent.count());
    }
  });
  std::vector<WatchedRun> runs;
  for (auto& run : watched) {
    if (!*run) return run->error();
    runs.push_back(std::move(*run).value());
  }
  return runs;
}

}  // namespace

Result<Sampler> lin_phe_sampler(const Arms& arms, const LinPheOptions& options,
                                const History& history) {
  auto made = LinPhe::create(arms, options, history);
  if (!made) return made.error();
  auto policy = std::make_shared<LinPhe>(std::move(made).value());
  return Sampler([policy](Rng& rng, std::span<double> theta) {
    policy->fit(rng);
    std::ranges::copy(policy->estimate(), theta.begin());
  });
}

Result<VerifyReport> verify(const Instance& instance, const VerifyOptions& options, StreamKey seed,
                            const MakeSampler& make_sampler) {
  const auto made = frame_of(instance, options, make_sampler);
  if (!made) return made.error();
  const Frame& frame = made.value();
  VerifyReport report;
  report.constants = frame.constants;
  report.p3 = frame.p3;
  report.states = snapshot_rounds(instance.arms().dimension(), options.rounds);

  const auto watched = watched_runs(instance, options, frame, report.states, seed);
  if (!watched) return watched.error();
  const std::vector<WatchedRun>& runs = watched.value();

  Rng rng(seed.with(Stream::test));
  std::vector<SampledState> states;
  for (std::size_t i = 0; i < report.states.size(); ++i) {
    auto state = sample_state(frame, report.states[i], runs[0].snapshots[i], rng);
    if (!state) return state.error();
    states.push_back(std::move(state).value());
  }
  auto mean = check_mean(frame, report.states, runs[0].snapshots, rng);
  if (!mean) return mean.error();

  auto& checks = report.checks;
  const auto append = [&](std::vector<Check> more) {
    std::ranges::move(more, std::back_inserter(checks));
  };
  checks.push_back(check_per_round_regret(frame, states));
  append(check_runs(frame, runs));
  append(check_concentration(frame, states));
  append(check_anti_concentration(frame, states));
  checks.push_back(check_closeness(frame, states));
  checks.push_back(check_optimism(frame, states));
  checks.push_back(check_variance(frame, states));
  checks.push_back(std::move(mean).value());
  judge(checks, options.confidence);
  report.tails = tails_of(frame, states);
  return report;
}

}  // namespace phe::theory
