#include "evaluate_flags.hpp"

#include <cmath>

#include "common_flags.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::app {

namespace {

using Text = std::optional<std::string>;

Result<void> read_confidence(const Text& text, double& into) {
  if (auto done = read_positive("--confidence", text, into); !done) return done;
  if (into < 1.0) return {};
  return invalid("--confidence must be a number between 0 and 1, got '{}'", *text);
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
  LogFlags::add_to(command);
  const auto option = [&](const char* name, Text& into, const char* type, const char* meaning) {
    command.add_option(name, into, meaning)->type_name(type);
  };
  command
      .add_option("--target", target,
                  "policy to evaluate: uniform, column=NAME, always=ACTION, frequencies=LOG, "
                  "beta-prior=FILE[,COLUMN=VALUE]")
      ->type_name("TARGET");
  const auto text = [&](const char* name, std::string& into, const char* type,
                        const char* meaning) {
    command.add_option(name, into, meaning)->type_name(type);
  };
  text("--state", state, "FILE", "evaluate a policy as phe learn left it, learning nothing");
  text("--policy", policy, "SPEC", "evaluate a policy that learns, by replay (phe policies)");
  text("--arms", arms, "FILE", "CSV with the features of fixed arms, for --policy");
  option("--rounds", rounds, "N", "horizon of --policy (10000)");
  option("--draws", draws, "N", "models per row of a randomised policy of --state (100)");
  text("--figure", figure, "FILE", "draw the estimates: .svg, .png or .pdf");
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
  option("--largest-weight", largest_weight, "W", "what a weight can be at most");
  command.add_flag("--json", json, "print JSON instead of the table");
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
        read_positive("--largest-weight", flags.largest_weight, largest_weight)})
    if (!done) return done.error();
  options.folds.count = folds;
  const auto rewards = rewards_from(flags);
  if (!rewards) return rewards.error();
  options.rewards = {rewards->low, rewards->high};
  if (flags.largest_weight) options.largest_weight = largest_weight;
  return options;
}

}  // namespace phe::app
