#include "tune_flags.hpp"

#include <set>

#include <fmt/format.h>

#include "evaluate_flags.hpp"
#include "output.hpp"
#include "spec/grid.hpp"
#include "support/error.hpp"
#include "support/sha256.hpp"
#include "support/text.hpp"

namespace phe::app {

void TuneFlags::add_to(CLI::App& command) {
  const auto one = [&](const char* name, auto& into, const char* type, const char* about) {
    return command.add_option(name, into, about)->type_name(type);
  };
  one("--problem", problems, "SPEC", "problem to tune for (phe problems)")->allow_extra_args(false);
  one("--log", files, "FILE", "log to tune on instead; may be repeated; also .gz");
  one("--objective", objective, "NAME",
      "on a log: replay, or an estimate: ips, clipped, snips, dr, sndr, switch, dros (replay)");
  one("--policy", policies, "SPEC",
      "policy; a=0.01..4 is a range to search; may be repeated (phe policies)")
      ->allow_extra_args(false);
  one("--budget", budget, "N|TIME",
      "runs, or time as 60s, 10min, 2h (60s); the same runs give the same result everywhere");
  one("--rounds", rounds, "N", "rounds of a run (10000)");
  add_seed(command, seed);
  add_threads(command, threads);
  one("--out", out, "DIR", "folder for the page and all runs; the same command goes on there");
  one("--simd", simd, "NAME", "instruction set (auto); results do not depend on it")
      ->envname("PHE_SIMD");
  command.add_flag("--json", json, "print JSON instead of the table");
  add_quiet(command, quiet);
  add_format_to(command);
  one("--arms", arms, "FILE", "CSV with the features of the log's fixed arms, a line each");
  one("--model", model, "NAME", "reward model of dr, sndr, switch, dros: table or ridge (table)");
  one("--clip", clip, "M", "of clipped, switch and dros (10)");
  one("--draws", draws, "N", "models for each row, where an estimate needs shares of them (16)");
  one("--largest-weight", largest_weight, "W",
      "replay: rows with 1/p above W are kept for certain");
}

std::vector<std::pair<const char*, const Typed*>> TuneFlags::log_flags() const {
  return {{"--objective", &objective},
          {"--format", &format},
          {"--columns", &columns},
          {"--actions", &actions},
          {"--bad-lines", &bad_lines},
          {"--rewards", &rewards},
          {"--arms", &arms},
          {"--model", &model},
          {"--clip", &clip},
          {"--draws", &draws},
          {"--largest-weight", &largest_weight}};
}

std::string TuneFlags::command_line() const {
  std::string line = "phe tune";
  const auto add = [&](const char* name, const std::string& value) {
    line += fmt::format(" {} {}", name, shell_word(value));
  };
  for (const std::string& problem : problems) add("--problem", problem);
  for (const std::string& file : files) add("--log", file);
  for (const auto& [name, value] : log_flags())
    if (*value) add(name, **value);
  for (const std::string& policy : policies) add("--policy", policy);
  add("--budget", budget);
  if (rounds) add("--rounds", *rounds);
  if (seed) add("--seed", *seed);
  if (out) add("--out", *out);
  return line;
}

namespace {

// A log, or a problem.
Result<std::string> subject_of(const TuneFlags& flags) {
  if (flags.on_log() && !flags.problems.empty())
    return invalid("give --problem or --log, not both");
  if (flags.on_log()) return std::string();
  for (const auto& [name, value] : flags.log_flags())
    if (*value) return invalid("{} is for tuning on a log: add --log FILE", name);
  const auto problems = expand_grids("problem", flags.problems);
  if (!problems) return problems.error();
  if (problems->size() != 1)
    return invalid("tune is for one problem, got {}; add --problem, as in --problem linear:d=10",
                   problems->size());
  return problems->front();
}

}  // namespace

Result<tune::Request> request_from(const TuneFlags& flags) {
  tune::Request request;
  const auto subject = subject_of(flags);
  if (!subject) return subject.error();
  request.problem = subject.value();
  if (flags.on_log()) {
    request.replicates = Replicates::halves;
    request.final_checkpoints = "1";
  }
  if (flags.policies.empty())
    return invalid("no policy given; add --policy, as in --policy linphe:a=0.01..4");
  std::set<std::string> seen;
  for (const std::string& text : flags.policies) {
    auto families = tune::families_of(text);
    if (!families) return families.error();
    for (tune::Family& family : families.value()) {
      if (!seen.insert(family.text).second) return invalid("policy {} is given twice", family.text);
      request.families.push_back(std::move(family));
    }
  }
  const auto budget = tune::budget_of(flags.budget);
  if (!budget) return budget.error();
  request.budget = budget.value();
  request.workers = default_threads();
  for (auto& done : {read_count("--rounds", rounds_range, flags.rounds, request.rounds),
                     read_count("--seed", seed_range, flags.seed, request.seed),
                     read_count("--threads", threads_range, flags.threads, request.workers)})
    if (!done) return done.error();
  if (flags.out && flags.out->empty()) return invalid("--out must name a folder, got ''");
  return request;
}

Result<tune::LogTrials> trials_from(const TuneFlags& flags) {
  auto log = log_from(flags);
  if (!log) return log.error();
  EvaluateFlags asked;
  static_cast<LogFlags&>(asked) = flags;
  asked.model = flags.model;
  asked.clip = flags.clip;
  asked.largest_weight = flags.largest_weight;
  auto options = options_from(asked);
  if (!options) return options.error();
  tune::LogObjective objective{.name = flags.objective.value_or("replay"),
                               .estimates = std::move(options).value()};
  if (auto done = read_count("--draws", {1, 1'000'000}, flags.draws, objective.draws); !done)
    return done.error();
  return tune::LogTrials::read(std::move(log).value(), flags.arms.value_or(""),
                               std::move(objective));
}

Result<std::string> log_identity(const TuneFlags& flags) {
  std::string text;
  std::vector<std::string> files = flags.files;
  if (flags.arms) files.push_back(*flags.arms);
  for (const std::string& file : files) {
    const auto content = read_file(file);
    if (!content) return content.error();
    text += sha256(content.value()) + '\n';
  }
  for (const auto& [name, value] : flags.log_flags())
    if (*value) text += fmt::format("{} {}\n", name, **value);
  return sha256(text).substr(0, 16);
}

}  // namespace phe::app
