// The flags of phe simulate, and what they and the experiment file ask for together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::app {

// As typed. Numbers are text, so that a bad one is told in our own words.
struct SimulateFlags {
  std::string file;
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  std::optional<std::string> rounds;
  std::optional<std::string> instances;
  std::optional<std::string> first_instance;
  std::optional<std::string> seed;
  std::optional<std::string> threads;
  std::optional<std::string> out;
  std::string simd = "auto";
  bool json = false;
  bool quiet = false;

  void add_to(CLI::App& command);
};

struct SimulateRequest {
  Experiment experiment;
  unsigned threads = 1;
  std::string out;  // empty: write nothing
};

// The file's request with what the flags change; a list of flags replaces the file's list.
Result<SimulateRequest> request_from(const SimulateFlags& flags);

}  // namespace phe::app
