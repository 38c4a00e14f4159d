// The flags that every command which runs experiments has.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "spec/spec_file.hpp"
#include <phe/result.hpp>

namespace phe::app {

// As typed. Numbers are text, so that a bad one is told in our own words.
struct ExperimentFlags {
  std::optional<std::string> rounds;
  std::optional<std::string> instances;
  std::optional<std::string> first_instance;
  std::optional<std::string> seed;
  std::optional<std::string> threads;
  std::optional<std::string> out;
  std::string simd = "auto";
  bool quiet = false;

  void add_to(CLI::App& command, const char* about_out);
  // Changes the file's request to what the flags ask for.
  Result<void> override(SpecFile& file) const;
  // The file's threads, else one a core.
  static unsigned threads_for(const SpecFile& file);
};

}  // namespace phe::app
