// phe evaluate: what a policy would have earned on a log, and how sure that is.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "common_flags.hpp"
#include "evaluate_flags.hpp"
#include "evaluate_report.hpp"
#include "logs/policy_target.hpp"
#include "output.hpp"
#include "report/figure.hpp"
#include "support/error.hpp"

namespace phe::app {

namespace {

constexpr const char* about_evaluate =
    "Estimate from a log what a target policy would have earned, with standard errors, intervals "
    "and warnings";

constexpr const char* examples_of_evaluate = R"(Examples:
  phe evaluate log.jsonl --target uniform
  phe evaluate events.dsjson.gz --target always=1 --bad-lines skip --json
  phe evaluate log.jsonl --state warm.state --figure estimates.png
  phe evaluate log.jsonl --policy linphe:a=1
  phe evaluate random_men.csv.gz --target frequencies=bts_men.csv.gz --actions 34 --clip 5 \
    --columns action=item_id,reward=click,propensity=propensity_score,position=position)";

// Exactly one of the three ways to say what is evaluated.
Result<void> check_asked(const EvaluateFlags& flags) {
  const int asked = !flags.target.empty() + !flags.policy.empty() + !flags.state.empty();
  if (asked == 0) return invalid("no target given, for example --target uniform");
  if (asked > 1) return invalid("give one of --target, --state and --policy");
  if (flags.figure.empty()) return {};
  if (auto done = check_figure_file(flags.figure); !done)
    return invalid("--figure: {}", done.error().message);
  return {};
}

Result<std::unique_ptr<logs::Target>> target_from(const EvaluateFlags& flags, logs::Log& log,
                                                  std::uint64_t seed) {
  if (flags.state.empty()) return logs::make_target(flags.target, log);
  std::uint64_t draws = 100;
  if (auto done = read_count("--draws", {1, 1'000'000}, flags.draws, draws); !done)
    return done.error();
  auto learnt = logs::LearntPolicy::load(flags.state);
  if (!learnt) return learnt.error();
  logs::want_offers(log);
  return logs::make_policy_target(std::move(learnt).value(), draws, seed);
}

int finish(const EvaluateFlags& flags, const EstimateFigure& figure, const std::string& text) {
  if (!flags.figure.empty())
    if (auto done = draw_estimates(figure, flags.figure); !done)
      return failed(done.error().message);
  fmt::print("{}", text);
  return exit_done;
}

int run_replay(const EvaluateFlags& flags, logs::Log& log, const logs::EvaluateOptions& options) {
  std::uint64_t rounds = Experiment{}.rounds;
  if (auto done = read_count("--rounds", rounds_range, flags.rounds, rounds); !done)
    return bad_input(done.error().message);
  logs::want_offers(log);
  auto shape = logs::survey(log, flags.arms, {options.rewards.low, options.rewards.high});
  if (!shape) return bad_input(shape.error().message);
  auto policy = logs::LearntPolicy::make(flags.policy, rounds, std::move(shape).value());
  if (!policy) return bad_input(policy.error().message);
  auto replayed =
      logs::replay(log, policy.value(), {options.confidence, options.seed, options.largest_weight});
  if (!replayed) return bad_input(replayed.error().message);
  tell_skipped(replayed->lines);
  const ReplayReport report{flags.policy, flags.files, std::move(replayed).value()};
  return finish(flags, replay_figure(report),
                flags.json ? replay_json(report) : replay_text(report));
}

int run_evaluate(const EvaluateFlags& flags) {
  auto log = log_from(flags);
  if (!log) return bad_input(log.error().message);
  const auto options = options_from(flags);
  if (!options) return bad_input(options.error().message);
  if (auto done = check_asked(flags); !done) return bad_input(done.error().message);
  if (!flags.policy.empty()) return run_replay(flags, log.value(), options.value());
  auto target = target_from(flags, log.value(), options->seed);
  if (!target) return bad_input(target.error().message);
  if (options->model == logs::ModelKind::ridge) logs::want_offers(log.value());
  auto evaluation = logs::evaluate(log.value(), *target.value(), options.value());
  if (!evaluation) return bad_input(evaluation.error().message);
  tell_skipped(evaluation->lines);
  const EvaluateReport report{flags.state.empty() ? flags.target : flags.state, flags.files,
                              options.value(), std::move(evaluation).value()};
  return finish(flags, evaluate_figure(report),
                flags.json ? evaluate_json(report) : evaluate_text(report));
}

}  // namespace

void add_evaluate_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("evaluate", about_evaluate);
  const auto flags = std::make_shared<EvaluateFlags>();
  flags->add_to(*command);
  command->footer(examples_of_evaluate);
  command->callback([&chosen, flags] { chosen = [flags] { return run_evaluate(*flags); }; });
}

}  // namespace phe::app
