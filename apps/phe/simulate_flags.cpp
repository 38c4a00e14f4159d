#include "simulate_flags.hpp"

#include <algorithm>
#include <thread>

#include "spec/numbers.hpp"
#include "spec/spec_file.hpp"
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

Result<void> override_counts(const SimulateFlags& flags, SpecFile& file) {
  Experiment& e = file.experiment;
  for (auto& done : {override_count("--rounds", rounds_range, flags.rounds, e.rounds),
                     override_count("--instances", instances_range, flags.instances, e.instances),
                     override_count("--first-instance", first_instance_range, flags.first_instance,
                                    e.first_instance),
                     override_count("--seed", seed_range, flags.seed, e.seed),
                     override_count("--threads", threads_range, flags.threads, file.threads)})
    if (!done) return done;
  return {};
}

}  // namespace

void SimulateFlags::add_to(CLI::App& command) {
  // Given twice, the last counts.
  const auto one = [&](const char* name, auto& into, const char* type, const char* about) {
    return command.add_option(name, into, about)->type_name(type)->take_last();
  };
  const auto many = [&](const char* name, auto& into, const char* about) {
    command.add_option(name, into, about)->type_name("SPEC")->allow_extra_args(false);
  };
  command.add_option("file", file, "experiment file, TOML; flags override what it says")
      ->type_name("FILE");
  many("--problem", problems, "problem to simulate on; may be repeated (phe problems)");
  many("--policy", policies, "policy to simulate; may be repeated (phe policies)");
  one("--rounds", rounds, "N", "rounds of a run (10000)");
  one("--instances", instances, "N", "random instances of each problem (100)");
  one("--first-instance", first_instance, "N",
      "number of the first instance (0), to split work over machines");
  one("--seed", seed, "N", "seed of all randomness (1); same seed, same bytes");
  one("--threads", threads, "N", "threads (all cores); results do not depend on it");
  one("--out", out, "DIR", "results folder; without it only the table is printed");
  one("--simd", simd, "NAME", "instruction set (auto); results do not depend on it")
      ->envname("PHE_SIMD");
  command.add_flag("--json", json, "print JSON instead of the table");
  command.add_flag("--quiet", quiet, "show no progress");
}

Result<SimulateRequest> request_from(const SimulateFlags& flags) {
  SpecFile file;
  file.threads = std::max(1U, std::thread::hardware_concurrency());
  if (!flags.file.empty()) {
    auto read = read_spec_file(flags.file);
    if (!read) return read.error();
    if (!read->threads) read->threads = file.threads;
    file = std::move(read).value();
  }
  if (!flags.problems.empty()) file.experiment.problems = flags.problems;
  if (!flags.policies.empty()) file.experiment.policies = flags.policies;
  if (auto done = override_counts(flags, file); !done) return done.error();
  if (flags.out) file.out = flags.out;
  if (file.out && file.out->empty()) return invalid("--out must name a folder, got ''");
  if (file.experiment.problems.empty())
    return invalid("no problem given; add --problem, as in --problem linear:d=10,arms=100");
  if (file.experiment.policies.empty())
    return invalid("no policy given; add --policy, as in --policy linphe:a=1");
  return SimulateRequest{std::move(file.experiment), static_cast<unsigned>(*file.threads),
                         file.out.value_or("")};
}

}  // namespace phe::app
