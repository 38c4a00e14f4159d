// An evaluation of logged data, for people and for programs.
#pragma once

#include <string>

#include "logs/evaluate.hpp"
#include "logs/replay.hpp"
#include "report/estimate_figure.hpp"

namespace phe::app {

struct EvaluateReport {
  std::string target;
  std::vector<std::string> files;
  logs::EvaluateOptions options;
  logs::Evaluation evaluation;
};

struct ReplayReport {
  std::string policy;
  std::vector<std::string> files;
  logs::Replay replay;
};

std::string evaluate_text(const EvaluateReport& report);
// {"diagnostics": {"n", "ess", "max_weight", ..}, "estimates": [{"estimator", "value", "se",
// "intervals": {"normal": [lo, hi], ..}}, ..], ..}, numbers with all their digits.
std::string evaluate_json(const EvaluateReport& report);

// Value and intervals of each estimate, beside the mean of the log.
EstimateFigure evaluate_figure(const EvaluateReport& report);

std::string replay_text(const ReplayReport& report);
std::string replay_json(const ReplayReport& report);
EstimateFigure replay_figure(const ReplayReport& report);

}  // namespace phe::app
