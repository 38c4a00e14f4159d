#include "tune/log_trials.hpp"

#include <algorithm>

#include "logs/policy_target.hpp"
#include "logs/replay.hpp"
#include "sim/do_runs.hpp"
#include "support/error.hpp"
#include "support/thread_seconds.hpp"
#include "tune/log_problem.hpp"
#include "tune/tune.hpp"

namespace phe::tune {

namespace {

// DM has no place here: the bias of its model is in no interval.
constexpr std::string_view objectives[] = {"replay", "ips",  "clipped", "snips",
                                           "dr",     "sndr", "switch",  "dros"};
constexpr std::size_t fewest_rows = 100;

bool has_model(std::string_view objective) {
  return objective == "dr" || objective == "sndr" || objective == "switch" || objective == "dros";
}

// Whether a row is in the random half that the key stands for.
bool in_half(const StreamKey& key, std::size_t row) {
  constexpr std::size_t bits = 64;
  return ((key.with(row / bits).value() >> (row % bits)) & 1) != 0;
}

}  // namespace

Result<void> check_objective(const std::string& name) {
  if (std::ranges::find(objectives, name) != std::end(objectives)) return {};
  return invalid("--objective must be one of {}, got '{}'", fmt::join(objectives, ", "), name);
}

Result<LogTrials> LogTrials::read(logs::Log log, const std::string& arms_file,
                                  LogObjective objective) {
  if (auto done = check_objective(objective.name); !done) return done.error();
  if (has_model(objective.name) && objective.estimates.model == logs::ModelKind::none)
    return invalid("--objective {} needs a reward model: give --model table or ridge",
                   objective.name);
  logs::want_offers(log);
  const logs::Bounds rewards = objective.estimates.rewards;
  auto shape = logs::survey(log, arms_file, {rewards.low, rewards.high});
  if (!shape) return shape.error();
  if (log.options.actions == 0 && shape->kind != logs::OfferKind::action_features)
    log.options.actions = shape->actions;  // so that every row knows how many there are
  auto kept = logs::KeptLog::read(log);
  if (!kept) return kept.error();
  if (kept->size() < fewest_rows)
    return invalid("{}: the log has {} rows; tuning needs {} at least", fmt::join(log.files, ", "),
                   kept->size(), fewest_rows);
  return LogTrials(std::move(kept).value(), std::move(shape).value(), std::move(objective));
}

LogTrials::LogTrials(logs::KeptLog log, logs::LogShape shape, LogObjective objective)
    : log_(std::make_shared<const logs::KeptLog>(std::move(log))),
      shape_(std::move(shape)),
      objective_(std::move(objective)),
      first_final_row_(log_->size() * 3 / 5) {
  objective_.estimates.betting = false;  // nobody asks for its intervals
  const bool with_model =
      objective_.name.starts_with('d') || objective_.name == "sndr" || objective_.name == "switch";
  if (!with_model) objective_.estimates.model = logs::ModelKind::none;
}

ProblemEntry LogTrials::problem(const std::string& identity) const {
  return log_problem_entry(identity, shape_);
}

LogTrials::Trial LogTrials::trial_of(const Plan& plan, const RunId& id) const {
  const PolicySpec& policy = plan.policies()[id.policy];
  const StreamKey key =
      plan.problems()[id.problem].instance_key(plan.experiment().seed, id.instance);
  const StreamKey half = key.with(Stream::instance);
  const bool last = id.instance >= first_final_instance;
  const auto tuning_half = [half, end = first_final_row_](std::size_t row) {
    return row < end && in_half(half, row);
  };
  const auto other_half = [half, end = first_final_row_](std::size_t row) {
    return row < end && !in_half(half, row);
  };
  const auto final_half = [half, begin = first_final_row_](std::size_t row) {
    return row >= begin && in_half(half, row);
  };
  Trial trial{policy.text, plan.experiment().rounds,
              key.with(Stream::policy).with(policy.parameters.canonical()).value(), tuning_half,
              final_half};
  if (!last && objective_.name == "replay") trial.counts = tuning_half;
  if (!last && objective_.name != "replay") trial.counts = other_half;
  return trial;
}

Result<LogTrials::Outcome> LogTrials::replayed(const Trial& trial) const {
  auto learner = logs::LearntPolicy::make(trial.policy, trial.rounds, shape_);
  if (!learner) return learner.error();
  auto replay = logs::replay(
      log_->rows(trial.counts), learner.value(),
      {objective_.estimates.confidence, trial.seed, objective_.estimates.largest_weight});
  if (!replay) return replay.error();
  return Outcome{replay->estimate.value, std::move(replay->warnings)};
}

Result<LogTrials::Outcome> LogTrials::estimated(const Trial& trial) const {
  auto learner = logs::LearntPolicy::make(trial.policy, trial.rounds, shape_);
  if (!learner) return learner.error();
  if (auto learnt = logs::learn(log_->rows(trial.learns), learner.value(), {}); !learnt)
    return learnt.error();
  const auto target =
      logs::make_policy_target(std::move(learner).value(), objective_.draws, trial.seed);
  auto evaluation = logs::evaluate(log_->rows(trial.counts), *target, objective_.estimates);
  if (!evaluation) return evaluation.error();
  for (const logs::Estimate& estimate : evaluation->whole.estimates)
    if (estimate.estimator == objective_.name)
      return Outcome{estimate.value, std::move(evaluation->warnings)};
  return invalid("there is no estimate {}", objective_.name);
}

Result<LogTrials::Outcome> LogTrials::outcome(const Trial& trial) const {
  return objective_.name == "replay" ? replayed(trial) : estimated(trial);
}

Result<void> LogTrials::simulate(const Plan& plan, const std::vector<RunId>& runs,
                                 const SimulateOptions& options) const {
  return do_runs(plan, runs, options, [&](const RunId& id) -> Result<RunResult> {
    const Trial trial = trial_of(plan, id);
    const double start = thread_seconds();
    const auto tried = outcome(trial);
    if (!tried) return invalid("policy {}: {}", trial.policy, tried.error().message);
    return RunResult{id, {-tried->value}, thread_seconds() - start};
  });
}

// On all rows of the final part, learnt from all before.
Result<std::vector<std::string>> LogTrials::warnings(const std::string& policy,
                                                     std::uint64_t rounds,
                                                     std::uint64_t seed) const {
  const auto before = [end = first_final_row_](std::size_t row) { return row < end; };
  const auto after = [end = first_final_row_](std::size_t row) { return row >= end; };
  auto all = outcome({policy, rounds, seed, before, after});
  if (!all) return all.error();
  return std::move(all->warnings);
}

}  // namespace phe::tune
