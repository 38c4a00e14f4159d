#include "common_flags.hpp"

#include <algorithm>
#include <thread>

namespace phe::app {

namespace {

unsigned threads_set = 0;

}  // namespace

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

unsigned default_threads() {
  return threads_set > 0 ? threads_set : std::max(1U, std::thread::hardware_concurrency());
}

void set_default_threads(unsigned threads) { threads_set = threads; }

}  // namespace phe::app
