// What `phe evaluate` is asked for, from text.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "log_flags.hpp"
#include "logs/evaluate.hpp"

namespace phe::app {

struct EvaluateFlags : LogFlags {
  std::string target, policy, state, arms, figure;
  std::optional<std::string> rounds, draws;
  std::optional<std::string> model, folds, ridge;
  std::optional<std::string> clip, switch_at, shrinkage;
  std::optional<std::string> confidence, intervals, resamples, seed, largest_weight;
  bool json = false;

  void add_to(CLI::App& command);
};

Result<logs::EvaluateOptions> options_from(const EvaluateFlags& flags);

}  // namespace phe::app
