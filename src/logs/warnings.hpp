// What a reader of an evaluation should know before believing it, in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "logs/evaluate.hpp"
#include "logs/summarise.hpp"

namespace phe::logs {

struct WarningContext {
  const Evaluation& evaluation;
  const EvaluateOptions& options;
  const Passes& passes;
  const Moments& moments;  // of the whole log
  bool terms_are_bounded;
};

std::vector<std::string> warnings(const WarningContext& context);

}  // namespace phe::logs
