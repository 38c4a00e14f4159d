#include "command_line.hpp"

#include <fmt/format.h>

#include "output.hpp"

namespace phe::app {

std::string simulate_command(const Experiment& e, const std::string& out) {
  std::string line = "phe simulate";
  for (const std::string& problem : e.problems) line += " --problem " + shell_word(problem);
  for (const std::string& policy : e.policies) line += " --policy " + shell_word(policy);
  line += fmt::format(" --rounds {} --instances {}", e.rounds, e.instances);
  if (e.first_instance > 0) line += fmt::format(" --first-instance {}", e.first_instance);
  line += fmt::format(" --seed {}", e.seed);
  if (e.checkpoints != Experiment{}.checkpoints) line += " --checkpoints " + e.checkpoints;
  if (!e.columns.empty()) line += fmt::format(" --columns {}", fmt::join(e.columns, ","));
  if (!out.empty()) line += " --out " + shell_word(out);
  return line;
}

}  // namespace phe::app
