#include "logs/replay.hpp"

#include <algorithm>
#include <cmath>

#include "logs/fields.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

constexpr std::uint64_t few_rows = 100;

// Mean and standard error of rewards that come one by one.
struct Mean {
  std::uint64_t count = 0;
  double mean = 0.0;
  double squares = 0.0;  // of the deviations

  void add(double x) {
    ++count;
    const double step = x - mean;
    mean += step / static_cast<double>(count);
    squares += step * (x - mean);
  }
  [[nodiscard]] Estimate estimate(std::string_view name, double confidence) const {
    const auto n = static_cast<double>(count);
    Estimate of{.estimator = name, .value = mean, .standard_error = 0.0};
    if (count < 2) return of;
    of.standard_error = std::sqrt(squares / (n - 1) / n);
    of.intervals.push_back({"normal", normal_interval(mean, of.standard_error, confidence)});
    return of;
  }
};

Result<void> find_smallest(const ReadDecisions& decisions, Replay& replay) {
  double largest = 0.0;
  const auto read = decisions([&](const Decision& row) -> Result<void> {
    replay.smallest_propensity = std::min(replay.smallest_propensity, row.propensity);
    largest = std::max(largest, row.propensity);
    return {};
  });
  if (!read) return read.error();
  replay.uniform = largest - replay.smallest_propensity <= single_precision;
  return {};
}

void warn(Replay& replay) {
  auto& list = replay.warnings;
  if (replay.accepted < few_rows)
    list.push_back(fmt::format("{} of {} rows were accepted: the estimate rests on these alone",
                               replay.accepted, replay.rows));
  if (!replay.uniform)
    list.push_back(
        fmt::format("the log is not uniform: {} of {} rows were kept by rejection, the smallest "
                    "propensity being {:.3g}",
                    replay.kept, replay.rows, replay.smallest_propensity));
  if (replay.cut > 0)
    list.push_back(fmt::format(
        "{} rows have 1/p above --largest-weight and were kept too seldom: the estimate is biased",
        replay.cut));
}

}  // namespace

Result<Replay> replay(const ReadDecisions& read, LearntPolicy& learner,
                      const ReplayOptions& options) {
  Replay result;
  if (auto done = find_smallest(read, result); !done) return done.error();
  const double least = options.largest_weight
                           ? std::max(result.smallest_propensity, 1.0 / *options.largest_weight)
                           : result.smallest_propensity;
  Rng rng(StreamKey(options.seed).with(Stream::policy).with("replay"));
  Rng coin(StreamKey(options.seed).with(Stream::test).with("replay"));
  Mean logged;
  Mean accepted;
  auto lines = read([&](const Decision& row) -> Result<void> {
    const auto choice = learner.log_rounds.select(*learner.policy, row, rng);
    if (!choice) return choice.error();
    const bool kept = result.uniform || to_unit(coin()) * row.propensity < least;
    if (kept && choice.value() == row.action) {
      if (auto done = learner.log_rounds.update(*learner.policy, row); !done) return done;
      accepted.add(row.reward);
      result.reward_sum += row.reward;
      result.last_accepted = fmt::format("{}, line {}", row.file, row.line);
    }
    result.kept += kept ? 1 : 0;
    result.cut += row.propensity < least ? 1 : 0;
    logged.add(row.reward);
    return {};
  });
  if (!lines) return lines.error();
  result.lines = std::move(lines).value();
  result.rows = logged.count;
  result.accepted = accepted.count;
  if (result.accepted == 0)
    return invalid("no row of the log was accepted: the policy chose none of the logged actions");
  result.logged = logged.estimate("logged", options.confidence);
  result.estimate = accepted.estimate("replay", options.confidence);
  warn(result);
  return result;
}

Result<Replay> replay(const Log& log, LearntPolicy& learner, const ReplayOptions& options) {
  return replay(decisions_of(log), learner, options);
}

}  // namespace phe::logs
