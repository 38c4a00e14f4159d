#include "tune_flags.hpp"

#include <set>

#include <fmt/format.h>

#include "output.hpp"
#include "spec/grid.hpp"
#include "support/error.hpp"

namespace phe::app {

void TuneFlags::add_to(CLI::App& command) {
  const auto one = [&](const char* name, auto& into, const char* type, const char* about) {
    return command.add_option(name, into, about)->type_name(type);
  };
  one("--problem", problems, "SPEC", "problem to tune for (phe problems)")->allow_extra_args(false);
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
}

std::string TuneFlags::command_line() const {
  std::string line = "phe tune";
  const auto add = [&](const char* name, const std::string& value) {
    line += fmt::format(" {} {}", name, shell_word(value));
  };
  for (const std::string& problem : problems) add("--problem", problem);
  for (const std::string& policy : policies) add("--policy", policy);
  add("--budget", budget);
  if (rounds) add("--rounds", *rounds);
  if (seed) add("--seed", *seed);
  if (out) add("--out", *out);
  return line;
}

Result<tune::Request> request_from(const TuneFlags& flags) {
  tune::Request request;
  const auto problems = expand_grids("problem", flags.problems);
  if (!problems) return problems.error();
  if (problems->size() != 1)
    return invalid("tune is for one problem, got {}; add --problem, as in --problem linear:d=10",
                   problems->size());
  request.problem = problems->front();
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

}  // namespace phe::app
