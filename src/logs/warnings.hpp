// What a reader of an evaluation should know before believing it, in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "logs/evaluate.hpp"
#include "logs/log_sums.hpp"

namespace phe::logs {

struct WarningContext {
  const Evaluation& evaluation;
  const EvaluateOptions& options;
  const LogSums& sums;
  const Moments& moments;  // of the whole log
  bool has_model;
  bool terms_are_bounded;
  bool too_many_to_keep;
};

std::vector<std::string> warnings(const WarningContext& context);

}  // namespace phe::logs
