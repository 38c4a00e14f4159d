// What `phe evaluate` is asked for, from text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "logs/evaluate.hpp"

namespace phe::app {

struct EvaluateFlags {
  std::vector<std::string> files;
  std::string target;
  std::optional<std::string> format, columns, actions, bad_lines;
  std::optional<std::string> model, folds, ridge;
  std::optional<std::string> clip, switch_at, shrinkage;
  std::optional<std::string> confidence, intervals, resamples, seed, rewards, largest_weight;
  bool json = false;

  void add_to(CLI::App& command);
};

Result<logs::Log> log_from(const EvaluateFlags& flags);
Result<logs::EvaluateOptions> options_from(const EvaluateFlags& flags);

}  // namespace phe::app
