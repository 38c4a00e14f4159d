// The flags that every command which runs experiments has.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "common_flags.hpp"
#include "spec/spec_file.hpp"
#include <phe/result.hpp>

namespace phe::app {

struct ExperimentFlags {
  Typed rounds;
  Typed instances;
  Typed first_instance;
  Typed seed;
  Typed checkpoints;
  Typed columns;
  Typed threads;
  Typed out;
  std::string simd = "auto";
  bool quiet = false;

  void add_to(CLI::App& command, const char* about_out);
  // Changes the file's request to what the flags ask for.
  Result<void> override(SpecFile& file) const;
  // The file's threads, else one per core.
  static unsigned threads_for(const SpecFile& file);
};

}  // namespace phe::app
