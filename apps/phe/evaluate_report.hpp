// An evaluation of logged data, for people and for programs.
#pragma once

#include <string>

#include "logs/evaluate.hpp"

namespace phe::app {

struct EvaluateReport {
  std::string target;
  std::vector<std::string> files;
  logs::EvaluateOptions options;
  logs::Evaluation evaluation;
};

std::string evaluate_text(const EvaluateReport& report);
// {"diagnostics": {"n", "ess", "max_weight", ..}, "estimates": [{"estimator", "value", "se",
// "intervals": {"normal": [lo, hi], ..}}, ..], ..}, numbers with all their digits.
std::string evaluate_json(const EvaluateReport& report);

}  // namespace phe::app
