#include "view_report.hpp"

#include <algorithm>

#include "record/curves.hpp"
#include "record/experiment_json.hpp"
#include "record/folder_status.hpp"
#include "report/growing.hpp"

namespace phe::app {

namespace {

namespace fs = std::filesystem;

constexpr double confidence = 0.95;

Json curve_json(const GrowingCurve& curve) {
  Json mean = Json::array();
  Json error = Json::array();
  for (const MeanAndError& at : curve.regret) {
    mean.push_back(at.mean);
    error.push_back(at.standard_error);
  }
  return {{"policy", curve.policy},
          {"instances", curve.instances},
          {"mean", std::move(mean)},
          {"error", std::move(error)}};
}

Json problem_json(const Plan& plan, std::size_t problem, const std::vector<GrowingCurve>& curves,
                  const std::vector<GrowingDifference>& differences) {
  Json lines = Json::array();
  for (const GrowingCurve& curve : curves)
    if (curve.problem == problem) lines.push_back(curve_json(curve));
  Json apart = Json::array();
  for (const GrowingDifference& difference : differences) {
    if (difference.problem != problem) continue;
    Json row = curve_json(difference);
    row["low"] = difference.instances < 2 ? Json(nullptr) : Json(difference.low);
    row["high"] = difference.instances < 2 ? Json(nullptr) : Json(difference.high);
    apart.push_back(std::move(row));
  }
  return {{"problem", plan.problems()[problem].text},
          {"rounds", plan.checkpoints()},
          {"curves", std::move(lines)},
          {"differences", std::move(apart)}};
}

Result<Json> part_json(const fs::path& folder, std::size_t against, const Registry& registry) {
  const auto status = read_status(folder);
  if (!status) return status.error();
  auto journal = read_journal(folder / "runs.log");
  if (!journal) return journal.error();
  auto plan = Plan::create(journal->header.experiment, registry);
  if (!plan) return plan.error();
  Json policies = Json::array();
  for (const PolicySpec& policy : plan->policies()) policies.push_back(policy.text);
  const std::size_t other = std::min(against, plan->policies().size() - 1);
  const auto curves = growing_curves(plan.value(), journal->runs);
  const auto differences = growing_differences(plan.value(), journal->runs, other, confidence);
  Json problems = Json::array();
  for (std::size_t i = 0; i < plan->problems().size(); ++i)
    problems.push_back(problem_json(plan.value(), i, curves, differences));
  return Json{{"folder", folder.string()},
              {"state", name_of(status->state)},
              {"done", status->done},
              {"of", status->total},
              {"secondsLeft", status->seconds_left ? Json(*status->seconds_left) : Json(nullptr)},
              {"against", other},
              {"policies", std::move(policies)},
              {"problems", std::move(problems)}};
}

}  // namespace

Result<std::string> view_json(const fs::path& folder, std::size_t against,
                              const Registry& registry) {
  Json parts = Json::array();
  for (const fs::path& part : results_folders(folder)) {
    auto json = part_json(part, against, registry);
    if (!json) return json.error();
    parts.push_back(std::move(json).value());
  }
  return dumped({{"against", against}, {"parts", std::move(parts)}});
}

}  // namespace phe::app
