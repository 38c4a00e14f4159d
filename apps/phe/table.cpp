#include "table.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "output.hpp"
#include "record/experiment_json.hpp"

namespace phe::app {

namespace {

// The lowest final regret among the curves of one problem.
double best_regret(const std::vector<Curve>& curves, std::size_t problem) {
  double best = std::numeric_limits<double>::infinity();
  for (const Curve& curve : curves)
    if (curve.problem == problem) best = std::min(best, curve.final().mean);
  return best;
}

std::string regret_text(const MeanAndError& regret, std::uint64_t instances) {
  if (instances == 1) return fmt::format("{:.1f}", regret.mean);
  return fmt::format("{:.1f} ± {:.1f}", regret.mean, regret.standard_error);
}

std::string heading(const Experiment& experiment) {
  if (experiment.instances == 1)
    return fmt::format("Pseudo-regret after {} of 1 instance\n",
                       counted(experiment.rounds, "round"));
  return fmt::format("Pseudo-regret after {}, mean ± standard error over {} instances\n",
                     counted(experiment.rounds, "round"), experiment.instances);
}

Json curve_json(const Plan& plan, const Curve& curve, double best) {
  const ProblemSpec& problem = plan.problems()[curve.problem];
  std::vector<double> means;
  std::vector<double> errors;
  for (const auto& [mean, error] : curve.regret) {
    means.push_back(mean);
    errors.push_back(error);
  }
  return {{"problem", problem_label(problem)},
          {"d", problem.problem->dimension()},
          {"arms", problem.problem->arms()},
          {"policy", plan.policies()[curve.policy].text},
          {"final_regret", means.back()},
          {"final_std_err", errors.back()},
          {"best", curve.final().mean == best},
          {"ns_per_round", curve.ns_per_round},
          {"mean_regret", means},
          {"std_err", errors}};
}

}  // namespace

std::string problem_heading(const Plan& plan, std::size_t problem) {
  const ProblemSpec& spec = plan.problems()[problem];
  return fmt::format("{}, d = {}, {}", problem_label(spec), spec.problem->dimension(),
                     counted(spec.problem->arms(), "arm"));
}

std::string table_text(const Plan& plan, const std::vector<Curve>& curves) {
  const Experiment& experiment = plan.experiment();
  std::size_t width = std::string_view("policy").size();
  for (const PolicySpec& policy : plan.policies()) width = std::max(width, policy.text.size());
  std::string text = heading(experiment);
  auto out = std::back_inserter(text);
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem) {
    fmt::format_to(out, "\n{}\n  {:{}}  {:>20}  {:>10}\n", problem_heading(plan, problem), "policy",
                   width, "regret", "ns/round");
    const double best = best_regret(curves, problem);
    for (const Curve& curve : curves)
      if (curve.problem == problem)
        fmt::format_to(out, "{} {:{}}  {:>20}  {:>10.0f}\n", curve.final().mean == best ? '*' : ' ',
                       plan.policies()[curve.policy].text, width,
                       regret_text(curve.final(), experiment.instances), curve.ns_per_round);
  }
  return text + "\n* lowest regret\n";
}

std::string table_json(const Plan& plan, const std::vector<Curve>& curves) {
  Json results = Json::array();
  for (const Curve& curve : curves)
    results.push_back(curve_json(plan, curve, best_regret(curves, curve.problem)));
  return dumped({{"regret", "pseudo-regret"},
                 {"spec", to_json(plan.experiment())},
                 {"rounds", plan.checkpoints()},
                 {"results", results}}) +
         '\n';
}

}  // namespace phe::app
