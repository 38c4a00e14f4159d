// The flags of phe reproduce, and which experiments they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "experiment_flags.hpp"
#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

struct ReproduceFlags : ExperimentFlags {
  Typed only;
  bool quick = false;
  bool strict = false;

  void add_to(CLI::App& command);
  // The command line that asks for the same.
  [[nodiscard]] std::string command_line() const;
};

struct PaperExperiment {
  std::string name;   // "linear": its folder, its figure and its claims
  std::string title;  // "Linear bandit"
  Experiment experiment;
};

struct ReproduceRequest {
  std::vector<PaperExperiment> experiments;
  unsigned threads = 1;
  std::string out;
};

// The experiments of the paper, experiments/*.toml as of the build, with what the flags change.
Result<ReproduceRequest> request_from(const ReproduceFlags& flags);

}  // namespace phe::app
