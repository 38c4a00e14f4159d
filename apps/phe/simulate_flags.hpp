// The flags of phe simulate, and what they and the experiment file ask for together.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "experiment_flags.hpp"
#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

struct SimulateFlags : ExperimentFlags {
  std::string file;
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  Typed log;     // every decision goes there
  Typed decide;  // how its probabilities are made
  bool json = false;

  void add_to(CLI::App& command);
};

struct SimulateRequest {
  Experiment experiment;
  FileLocator locate;  // files of the experiment file are beside it, those of flags where they say
  unsigned threads = 1;
  std::string out;  // empty: write nothing
};

// The file's request with what the flags change; a list of flags replaces the file's list.
Result<SimulateRequest> request_from(const SimulateFlags& flags);

}  // namespace phe::app
