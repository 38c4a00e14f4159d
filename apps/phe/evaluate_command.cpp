// phe evaluate: what a policy would have earned on a log, and how sure that is.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "evaluate_flags.hpp"
#include "evaluate_report.hpp"
#include "output.hpp"

namespace phe::app {

namespace {

constexpr const char* about =
    "Estimate from a log what a target policy would have earned, with standard errors, intervals "
    "and warnings";

constexpr const char* examples = R"(Examples:
  phe evaluate log.jsonl --target uniform
  phe evaluate events.dsjson.gz --target always=1 --bad-lines skip --json
  phe evaluate random_men.csv.gz --target frequencies=bts_men.csv.gz --actions 34 --clip 5 \
    --columns action=item_id,reward=click,propensity=propensity_score,position=position)";

void tell_skipped(const logs::ReadCounts& lines) {
  for (const std::string& line : lines.bad_lines) tell(line);
  if (lines.bad > 0)
    tell(fmt::format("{} bad lines are left out, {} of them named above", lines.bad,
                     lines.bad_lines.size()));
  if (lines.dangling > 0)
    tell(fmt::format("{} rewards without a decision are left out", lines.dangling));
  if (lines.deferred > 0)
    tell(fmt::format("{} decisions that never took effect are left out", lines.deferred));
}

int run_evaluate(const EvaluateFlags& flags) {
  auto log = log_from(flags);
  if (!log) return bad_input(log.error().message);
  const auto options = options_from(flags);
  if (!options) return bad_input(options.error().message);
  if (flags.target.empty()) return bad_input("no target given, for example --target uniform");
  auto target = logs::make_target(flags.target, log.value());
  if (!target) return bad_input(target.error().message);
  log->options.want_features = options->model == logs::ModelKind::ridge;
  auto evaluation = logs::evaluate(log.value(), *target.value(), options.value());
  if (!evaluation) return bad_input(evaluation.error().message);
  tell_skipped(evaluation->lines);
  const EvaluateReport report{flags.target, flags.files, options.value(),
                              std::move(evaluation).value()};
  fmt::print("{}", flags.json ? evaluate_json(report) : evaluate_text(report));
  return exit_done;
}

}  // namespace

void add_evaluate_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("evaluate", about);
  const auto flags = std::make_shared<EvaluateFlags>();
  flags->add_to(*command);
  command->footer(examples);
  command->callback([&chosen, flags] { chosen = [flags] { return run_evaluate(*flags); }; });
}

}  // namespace phe::app
