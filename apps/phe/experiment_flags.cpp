#include "experiment_flags.hpp"

#include "sim/checkpoints.hpp"
#include "spec/numbers.hpp"
#include "spec/spec_text.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::app {

void ExperimentFlags::add_to(CLI::App& command, const char* about_out) {
  const auto one = [&](const char* name, auto& into, const char* type, const char* about) {
    return command.add_option(name, into, about)->type_name(type);
  };
  one("--rounds", rounds, "N", "rounds of a run (10000)");
  one("--instances", instances, "N", "random instances of each problem (100)");
  one("--first-instance", first_instance, "N",
      "number of the first instance (0), to split work over machines");
  add_seed(command, seed);
  one("--checkpoints", checkpoints, "N|all|log",
      "rounds after which regret is recorded: N spread evenly (100), all, or log: ten a decade");
  one("--columns", columns, "NAME,..", "record as well: reward, best_pulls");
  add_threads(command, threads);
  one("--out", out, "DIR", about_out);
  one("--simd", simd, "NAME", "instruction set (auto); results do not depend on it")
      ->envname("PHE_SIMD");
  add_quiet(command, quiet);
}

Result<void> ExperimentFlags::override(SpecFile& file) const {
  Experiment& e = file.experiment;
  for (auto& done :
       {read_count("--rounds", rounds_range, rounds, e.rounds),
        read_count("--instances", instances_range, instances, e.instances),
        read_count("--first-instance", first_instance_range, first_instance, e.first_instance),
        read_count("--seed", seed_range, seed, e.seed),
        read_count("--threads", threads_range, threads, file.threads)})
    if (!done) return done;
  if (checkpoints) {
    if (auto rule = checkpoints_of(*checkpoints, 1); !rule)
      return invalid("--{}", rule.error().message);
    e.checkpoints = *checkpoints;
  }
  if (columns) {
    e.columns.clear();
    for (const std::string_view name : split_outside_quotes(*columns, ','))
      e.columns.emplace_back(trim(name));
  }
  if (out) file.out = out;
  if (file.out && file.out->empty()) return invalid("--out must name a folder, got ''");
  return {};
}

unsigned ExperimentFlags::threads_for(const SpecFile& file) {
  return file.threads ? static_cast<unsigned>(*file.threads) : default_threads();
}

}  // namespace phe::app
