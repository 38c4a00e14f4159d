// summarise: from what the passes over a log left to estimates, intervals and warnings.
#pragma once

#include <optional>

#include "logs/evaluate.hpp"
#include "logs/kept_rows.hpp"
#include "logs/log_sums.hpp"

namespace phe::logs {

struct Passes {
  LogSums sums;
  KeptRows kept;
  bool too_many_to_keep = false;
  bool has_model = false;
  std::optional<double> largest_probability;  // of the target
  ReadCounts lines = {};
};

Evaluation summarise(const Passes& passes, const EvaluateOptions& options);

}  // namespace phe::logs
