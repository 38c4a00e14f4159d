#include "common_flags.hpp"

#include <algorithm>
#include <thread>

namespace phe::app {

void add_seed(CLI::App& command, Typed& into) {
  command.add_option("--seed", into, "seed of all randomness (1); same seed, same bytes")
      ->type_name("N");
}

void add_threads(CLI::App& command, Typed& into) {
  command.add_option("--threads", into, "threads (all cores); results do not depend on it")
      ->type_name("N");
}

void add_quiet(CLI::App& command, bool& into) {
  command.add_flag("--quiet", into, "show no progress");
}

unsigned default_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace phe::app
