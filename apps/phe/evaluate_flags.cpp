#include "evaluate_flags.hpp"

#include <cmath>

#include "read_count.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::app {

namespace {

using Text = std::optional<std::string>;

Result<void> read_positive(const char* flag, const Text& text, double& into) {
  if (!text) return {};
  const auto value = parse_number<double>(*text);
  if (!value || !std::isfinite(*value) || !(*value > 0.0))
    return invalid("{} must be a number above 0, got '{}'", flag, *text);
  into = *value;
  return {};
}

Result<void> read_confidence(const Text& text, double& into) {
  if (auto done = read_positive("--confidence", text, into); !done) return done;
  if (into < 1.0) return {};
  return invalid("--confidence must be a number between 0 and 1, got '{}'", *text);
}

Result<void> read_rewards(const Text& text, logs::Bounds& into) {
  if (!text) return {};
  const std::size_t comma = std::min(text->find(','), text->size());
  const auto low = parse_number<double>(trim(std::string_view(*text).substr(0, comma)));
  const auto high =
      parse_number<double>(trim(std::string_view(*text).substr(std::min(comma + 1, text->size()))));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || !(*low < *high))
    return invalid("--rewards must be the lowest and the highest reward, as 0,1; got '{}'", *text);
  into = {*low, *high};
  return {};
}

Result<void> read_model(const Text& text, std::optional<logs::ModelKind>& into) {
  if (!text) return {};
  if (*text == "none")
    into = logs::ModelKind::none;
  else if (*text == "table")
    into = logs::ModelKind::table;
  else if (*text == "ridge")
    into = logs::ModelKind::ridge;
  else
    return invalid("--model must be none, table or ridge, got '{}'", *text);
  return {};
}

Result<void> read_intervals(const EvaluateFlags& flags, logs::EvaluateOptions& options) {
  if (!flags.intervals) {
    if (flags.resamples) options.resamples = 2000;
  } else {
    options.betting = false;
    for (std::string_view left = *flags.intervals; !left.empty();) {
      const std::size_t comma = std::min(left.find(','), left.size());
      const std::string_view name = trim(left.substr(0, comma));
      left.remove_prefix(std::min(comma + 1, left.size()));
      if (name == "betting")
        options.betting = true;
      else if (name == "bootstrap")
        options.resamples = 2000;
      else if (name != "normal" && name != "bernstein")
        return invalid("--intervals must be of normal, bernstein, betting, bootstrap, got '{}'",
                       name);
    }
  }
  return read_count("--resamples", {2, 1'000'000}, flags.resamples, options.resamples);
}

}  // namespace

void EvaluateFlags::add_to(CLI::App& command) {
  const auto option = [&](const char* name, Text& into, const char* type, const char* meaning) {
    command.add_option(name, into, meaning)->type_name(type);
  };
  command.add_option("log", files, "files of the log, in order; also .gz")->type_name("LOG");
  command
      .add_option("--target", target,
                  "policy to evaluate: uniform, column=NAME, always=ACTION, frequencies=LOG, "
                  "beta-prior=FILE[,COLUMN=VALUE]")
      ->type_name("TARGET");
  option("--format", format, "NAME", "jsonl, csv or dsjson (by the name of each file)");
  option("--columns", columns, "LIST",
         "where the parts stand: action=item_id,reward=click,propensity=p,position=slot,"
         "features=user_*");
  option("--actions", actions, "K", "how many actions there are, where the log does not say");
  option("--bad-lines", bad_lines, "WHAT", "refuse the log, or skip them (refuse)");
  option("--model", model, "NAME", "reward model: none, table or ridge (table)");
  option("--folds", folds, "N", "2: a row is predicted by the model of the other parity; or 1 (2)");
  option("--ridge", ridge, "X", "lambda of the ridge model (1)");
  option("--clip", clip, "M", "weights of clipped, switch and DRos (10)");
  option("--switch", switch_at, "TAU", "weight above which switch trusts its model (--clip)");
  option("--shrinkage", shrinkage, "LAMBDA", "of DRos (--clip)");
  option("--confidence", confidence, "X", "of the intervals (0.95)");
  option("--intervals", intervals, "LIST",
         "normal, bernstein, betting, bootstrap (normal,bernstein,betting)");
  option("--resamples", resamples, "N", "of the bootstrap (2000)");
  option("--seed", seed, "N", "of the bootstrap (1)");
  option("--rewards", rewards, "LO,HI", "what a reward can be (0,1)");
  option("--largest-weight", largest_weight, "W", "what a weight can be at most");
  command.add_flag("--json", json, "print JSON instead of the table");
}

Result<logs::Log> log_from(const EvaluateFlags& flags) {
  if (flags.files.empty()) return invalid("no log given, for example log.jsonl");
  logs::Log log{flags.files, {}};
  if (flags.format) {
    const auto format = logs::parse_format(*flags.format);
    if (!format) return format.error();
    log.options.format = format.value();
  }
  if (flags.columns) {
    auto columns = logs::parse_columns(*flags.columns);
    if (!columns) return columns.error();
    log.options.columns = std::move(columns).value();
  }
  std::uint64_t actions = 0;
  if (auto done = read_count("--actions", {1, 1'000'000}, flags.actions, actions); !done)
    return done.error();
  log.options.actions = actions;
  const std::string bad_lines = flags.bad_lines.value_or("refuse");
  if (bad_lines != "refuse" && bad_lines != "skip")
    return invalid("--bad-lines must be refuse or skip, got '{}'", bad_lines);
  log.options.skip_bad_lines = bad_lines == "skip";
  if (const auto first = log.first_action(); !first) return first.error();
  return log;
}

Result<logs::EvaluateOptions> options_from(const EvaluateFlags& flags) {
  logs::EvaluateOptions options;
  auto& limits = options.limits;
  if (auto done = read_positive("--clip", flags.clip, limits.clip); !done) return done.error();
  limits.switch_at = limits.shrinkage = limits.clip;
  std::uint64_t folds = options.folds.count;
  double largest_weight = 0.0;
  for (auto& done :
       {read_positive("--switch", flags.switch_at, limits.switch_at),
        read_positive("--shrinkage", flags.shrinkage, limits.shrinkage),
        read_confidence(flags.confidence, options.confidence),
        read_model(flags.model, options.model), read_count("--folds", {1, 2}, flags.folds, folds),
        read_positive("--ridge", flags.ridge, options.ridge), read_intervals(flags, options),
        read_count("--seed", seed_range, flags.seed, options.seed),
        read_rewards(flags.rewards, options.rewards),
        read_positive("--largest-weight", flags.largest_weight, largest_weight)})
    if (!done) return done.error();
  options.folds.count = folds;
  if (flags.largest_weight) options.largest_weight = largest_weight;
  return options;
}

}  // namespace phe::app
