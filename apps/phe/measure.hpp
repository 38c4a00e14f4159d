// Runs that a command needs for its own ends: several experiments in memory, with one progress bar.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "common_flags.hpp"
#include "record/curves.hpp"
#include <phe/registry.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

struct MeasureFlags {
  std::vector<std::string> policies;
  Typed instances;
  Typed threads;
  bool quiet = false;

  void add_to(CLI::App& command, const std::string& about_policy,
              const std::string& about_instances);
};

struct Measured {
  int exit_code = 0;                           // not 0: what went wrong was told
  std::vector<std::pair<Plan, Runs>> parts{};  // one per experiment

  explicit operator bool() const noexcept { return exit_code == 0; }
};

// Does all runs of all experiments, each with the number of instances that the flags ask for.
Measured measure(std::vector<Experiment> experiments, const MeasureFlags& flags,
                 std::uint64_t default_instances, const Registry& registry);

}  // namespace phe::app
