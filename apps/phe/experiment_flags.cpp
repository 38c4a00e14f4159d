#include "experiment_flags.hpp"

#include <algorithm>
#include <thread>

#include "spec/numbers.hpp"
#include "support/error.hpp"

namespace phe::app {

namespace {

template <class Count>
Result<void> override_count(const char* flag, CountRange range,
                            const std::optional<std::string>& text, Count& into) {
  if (!text) return {};
  const auto value = count_in(flag, range, *text);
  if (!value) return value.error();
  into = value.value();
  return {};
}

}  // namespace

void ExperimentFlags::add_to(CLI::App& command, const char* about_out) {
  // Given twice, the last counts.
  const auto one = [&](const char* name, auto& into, const char* type, const char* about) {
    return command.add_option(name, into, about)->type_name(type)->take_last();
  };
  one("--rounds", rounds, "N", "rounds of a run (10000)");
  one("--instances", instances, "N", "random instances of each problem (100)");
  one("--first-instance", first_instance, "N",
      "number of the first instance (0), to split work over machines");
  one("--seed", seed, "N", "seed of all randomness (1); same seed, same bytes");
  one("--threads", threads, "N", "threads (all cores); results do not depend on it");
  one("--out", out, "DIR", about_out);
  one("--simd", simd, "NAME", "instruction set (auto); results do not depend on it")
      ->envname("PHE_SIMD");
  command.add_flag("--quiet", quiet, "show no progress");
}

Result<void> ExperimentFlags::override(SpecFile& file) const {
  Experiment& e = file.experiment;
  for (auto& done :
       {override_count("--rounds", rounds_range, rounds, e.rounds),
        override_count("--instances", instances_range, instances, e.instances),
        override_count("--first-instance", first_instance_range, first_instance, e.first_instance),
        override_count("--seed", seed_range, seed, e.seed),
        override_count("--threads", threads_range, threads, file.threads)})
    if (!done) return done;
  if (out) file.out = out;
  if (file.out && file.out->empty()) return invalid("--out must name a folder, got ''");
  return {};
}

unsigned ExperimentFlags::threads_for(const SpecFile& file) {
  return file.threads ? static_cast<unsigned>(*file.threads)
                      : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace phe::app
