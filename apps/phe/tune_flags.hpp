// The flags of phe tune, and what they ask for.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "common_flags.hpp"
#include "tune/tune.hpp"
#include <phe/result.hpp>

namespace phe::app {

struct TuneFlags {
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  std::string budget = "60s";
  Typed rounds;
  Typed seed;
  Typed threads;
  Typed out;
  std::string simd = "auto";
  bool json = false;
  bool quiet = false;

  void add_to(CLI::App& command);
  // The command line that asks for the same.
  [[nodiscard]] std::string command_line() const;
};

Result<tune::Request> request_from(const TuneFlags& flags);

}  // namespace phe::app
