#include "compare_report.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "record/curves.hpp"
#include "record/experiment_json.hpp"
#include "table.hpp"

namespace phe::app {

namespace {

std::string p_text(double p) {
  if (p >= 0.0995) return fmt::format("{:.2f}", p);
  return p < 1e-16 ? "< 1e-16" : fmt::format("{:.1e}", p);
}

std::size_t widest_policy(const Plan& plan) {
  std::size_t width = std::string_view("policy").size();
  for (const PolicySpec& policy : plan.policies()) width = std::max(width, policy.text.size());
  return width;
}

std::string row_text(const Plan& plan, const PairedDifference& d, std::size_t width) {
  const auto name = [&](std::size_t policy) { return plan.policies()[policy].text; };
  return fmt::format("  {:{}}  {:{}}  {:>18}  {:>22}  {:>6.3f}  {:>8}  {}\n", name(d.policy), width,
                     name(d.other), width,
                     fmt::format("{:.1f} ± {:.1f}", d.difference, d.standard_error),
                     fmt::format("[{:.1f}, {:.1f}]", d.low, d.high), d.ratio, p_text(d.p_value),
                     d.lower() ? name(*d.lower()) : "undecided");
}

Json row_json(const Plan& plan, const PairedDifference& d) {
  const ProblemSpec& problem = plan.problems()[d.problem];
  const auto name = [&](std::size_t policy) { return plan.policies()[policy].text; };
  return {{"problem", problem_label(problem)},
          {"d", problem.problem->dimension()},
          {"arms", problem.problem->arms()},
          {"policy", name(d.policy)},
          {"other", name(d.other)},
          {"difference", d.difference},
          {"std_err", d.standard_error},
          {"low", d.low},
          {"high", d.high},
          {"ratio", d.ratio},
          {"t", d.t},
          {"p_value", d.p_value},
          {"lower", d.lower() ? Json(name(*d.lower())) : Json(nullptr)}};
}

}  // namespace

std::string compare_text(const Plan& plan, const std::vector<PairedDifference>& differences,
                         double confidence) {
  const Experiment& experiment = plan.experiment();
  const std::size_t width = widest_policy(plan);
  std::string text =
      fmt::format("Differences of pseudo-regret after {} rounds, paired over {} shared instances\n",
                  experiment.rounds, experiment.instances);
  auto out = std::back_inserter(text);
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem) {
    fmt::format_to(out, "\n{}\n  {:{}}  {:{}}  {:>18}  {:>22}  {:>6}  {:>8}  {}\n",
                   problem_heading(plan, problem), "policy", width, "other", width, "difference",
                   "interval", "ratio", "p", "lower regret");
    for (const PairedDifference& difference : differences)
      if (difference.problem == problem) text += row_text(plan, difference, width);
  }
  fmt::format_to(out,
                 "\ndifference: policy − other, mean ± standard error; ratio: of the means. "
                 "Intervals are Student's, each\nat confidence 1 − {:.4g}/{} (Bonferroni), so that "
                 "all {} hold together with confidence {:g}; p is multiplied\nby {} likewise. "
                 "undecided: the interval has 0 in it.\n",
                 1.0 - confidence, differences.size(), differences.size(), confidence,
                 differences.size());
  return text;
}

std::string compare_json(const Plan& plan, const std::vector<PairedDifference>& differences,
                         double confidence) {
  Json results = Json::array();
  for (const PairedDifference& difference : differences)
    results.push_back(row_json(plan, difference));
  return dumped({{"regret", "pseudo-regret"},
                 {"spec", to_json(plan.experiment())},
                 {"confidence", confidence},
                 {"correction", "bonferroni"},
                 {"comparisons", differences.size()},
                 {"results", results}},
                2) +
         '\n';
}

}  // namespace phe::app
