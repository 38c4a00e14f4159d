// The flags of phe tune, and what they ask for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "common_flags.hpp"
#include "log_flags.hpp"
#include "tune/log_trials.hpp"
#include "tune/tune.hpp"
#include <phe/result.hpp>

namespace phe::app {

// Where files are given, tuning is on their log.
struct TuneFlags : LogFlags {
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  std::string budget = "60s";
  Typed rounds;
  Typed seed;
  Typed threads;
  Typed out;
  Typed objective, model, clip, largest_weight, draws, arms;  // of a log
  std::string simd = "auto";
  bool json = false;
  bool quiet = false;

  void add_to(CLI::App& command);
  // Those that are for a log alone, with their names.
  [[nodiscard]] std::vector<std::pair<const char*, const Typed*>> log_flags() const;
  [[nodiscard]] bool on_log() const { return !files.empty(); }
  // The command line that asks for the same.
  [[nodiscard]] std::string command_line() const;
};

// Its problem is the one asked for; on a log it is not set.
Result<tune::Request> request_from(const TuneFlags& flags);
// Precondition: on_log().
Result<tune::LogTrials> trials_from(const TuneFlags& flags);
// Equal for equal logs and objectives: a digest of the files' contents and of what is asked.
Result<std::string> log_identity(const TuneFlags& flags);

}  // namespace phe::app
