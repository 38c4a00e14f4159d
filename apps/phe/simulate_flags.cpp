#include "simulate_flags.hpp"

#include "spec/spec_file.hpp"
#include "support/error.hpp"

namespace phe::app {

void SimulateFlags::add_to(CLI::App& command) {
  const auto many = [&](const char* name, auto& into, const char* about) {
    command.add_option(name, into, about)->type_name("SPEC")->allow_extra_args(false);
  };
  command.add_option("file", file, "experiment file, TOML; flags override what it says")
      ->type_name("FILE");
  many("--problem", problems,
       "problem to simulate on; may be repeated, d=5|10 is a grid (phe problems)");
  many("--policy", policies,
       "policy to simulate; may be repeated, a=0.5|1 is a grid (phe policies)");
  ExperimentFlags::add_to(command, "results folder; without it only the table is printed");
  command
      .add_option("--log", log,
                  "write every decision with its probabilities: .jsonl or .dsjson, also .gz; one "
                  "problem, one policy, --instances 1 where not given")
      ->type_name("FILE");
  command
      .add_option("--decide", decide,
                  "probabilities of --log: draws=N models (16), floor=X of uniform choices (0), "
                  "resample=N draws at most (none)")
      ->type_name("LIST");
  command.add_flag("--json", json, "print JSON instead of the table");
}

Result<SimulateRequest> request_from(const SimulateFlags& flags) {
  SpecFile file;
  if (!flags.file.empty()) {
    auto read = read_spec_file(flags.file);
    if (!read) return read.error();
    file = std::move(read).value();
  }
  if (!flags.problems.empty()) {
    file.experiment.problems = flags.problems;
    file.folder.clear();
  }
  if (!flags.policies.empty()) file.experiment.policies = flags.policies;
  if (flags.decide && !flags.log) return invalid("--decide is for --log");
  if (flags.log) file.experiment.instances = 1;
  if (auto done = flags.override(file); !done) return done.error();
  if (file.experiment.problems.empty())
    return invalid("no problem given; add --problem, as in --problem linear:d=10,arms=100");
  if (file.experiment.policies.empty())
    return invalid("no policy given; add --policy, as in --policy linphe:a=1");
  const unsigned threads = ExperimentFlags::threads_for(file);
  return SimulateRequest{std::move(file.experiment), file.locator(), threads,
                         file.out.value_or("")};
}

}  // namespace phe::app
