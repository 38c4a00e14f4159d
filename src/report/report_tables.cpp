#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "report/policy_style.hpp"
#include "report/report.hpp"

namespace phe {

namespace {

// With a true minus sign.
std::string number(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  return std::signbit(value) && text.find_first_not_of("0.") != std::string::npos ? "−" + text
                                                                                  : text;
}

std::string label_of(const Plan& plan, std::size_t policy) {
  return policy_label(plan.policies()[policy].text);
}

std::vector<std::string> head_of(const Plan& plan) {
  std::vector<std::string> head = {"Policy"};
  for (const ProblemSpec& problem : plan.problems())
    head.push_back(fmt::format("d = {}", problem.problem->dimension()));
  return head;
}

const Curve& curve_at(const ReportedExperiment& experiment, std::size_t problem,
                      std::size_t policy) {
  return experiment.curves[problem * experiment.plan->policies().size() + policy];
}

double lowest_regret(const ReportedExperiment& experiment, std::size_t problem) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Curve& curve : experiment.curves)
    if (curve.problem == problem) lowest = std::min(lowest, curve.final().mean);
  return lowest;
}

// A row a policy, its cells made from curves.
template <class MakeCell>
void add_rows(Table& table, const ReportedExperiment& experiment, MakeCell cell) {
  const Plan& plan = *experiment.plan;
  for (std::size_t policy = 0; policy < plan.policies().size(); ++policy) {
    auto& row = table.rows.emplace_back(std::vector<Cell>{{label_of(plan, policy)}});
    for (std::size_t problem = 0; problem < plan.problems().size(); ++problem)
      row.push_back(cell(curve_at(experiment, problem, policy)));
  }
}

void add_ratio_rows(Table& table, const ReportedExperiment& experiment, std::string_view ours,
                    std::string_view theirs) {
  const Plan& plan = *experiment.plan;
  const auto at = std::ranges::find(plan.policies(), theirs, &PolicySpec::text);
  if (at == plan.policies().end()) return;
  const auto other = static_cast<std::size_t>(at - plan.policies().begin());
  for (std::size_t policy = 0; policy < plan.policies().size(); ++policy) {
    if (!plan.policies()[policy].text.starts_with(ours)) continue;
    auto& row = table.rows.emplace_back(
        std::vector<Cell>{{fmt::format("{} ÷ {}", label_of(plan, policy), label_of(plan, other))}});
    for (std::size_t problem = 0; problem < plan.problems().size(); ++problem)
      row.push_back({number(curve_at(experiment, problem, policy).ns_per_round /
                                curve_at(experiment, problem, other).ns_per_round,
                            2)});
  }
}

std::string_view mark_of(Verdict verdict) {
  if (verdict == Verdict::holds) return "✓";
  return verdict == Verdict::does_not_hold ? "✗" : "?";
}

std::string numbers_text(const Comparison& comparison, const Judgement& judgement,
                         Claim::Measure measure) {
  const bool time = measure == Claim::Measure::ns_per_round;
  return fmt::format("{} {} ÷ {} = {} ({} ± {}{}, t = {})", mark_of(judgement.verdict),
                     policy_label(comparison.ours), policy_label(comparison.theirs),
                     number(judgement.ratio, 2), number(judgement.difference, 1),
                     number(judgement.standard_error, 1), time ? " ns" : "",
                     number(judgement.t, 1));
}

std::string look_of(Verdict verdict) {
  std::string look(name_of(verdict));
  std::ranges::replace(look, ' ', '-');
  return look;
}

}  // namespace

Table regret_table(const ReportedExperiment& experiment) {
  const Experiment& e = experiment.plan->experiment();
  Table table{fmt::format("{}: pseudo-regret after {} rounds, mean{} over {} instance{}. Bold: the "
                          "lowest of a column.",
                          experiment.title, e.rounds, e.instances > 1 ? " ± standard error" : "",
                          e.instances, e.instances > 1 ? "s" : ""),
              head_of(*experiment.plan),
              {}};
  add_rows(table, experiment, [&](const Curve& curve) {
    const auto& [mean, error] = curve.final();
    const std::string text =
        e.instances > 1 ? fmt::format("{:.1f} ± {:.1f}", mean, error) : fmt::format("{:.1f}", mean);
    return Cell{text, mean == lowest_regret(experiment, curve.problem)};
  });
  return table;
}

Table run_time_table(const ReportedExperiment& experiment) {
  Table table{fmt::format("{}: run time, ns a round (processor time, reward included), and its "
                          "ratio to Thompson sampling.",
                          experiment.title),
              head_of(*experiment.plan),
              {}};
  add_rows(table, experiment,
           [](const Curve& curve) { return Cell{fmt::format("{:.0f}", curve.ns_per_round)}; });
  add_ratio_rows(table, experiment, "linphe", "lints");
  add_ratio_rows(table, experiment, "logphe", "logts");
  return table;
}

Table verdict_table(const std::vector<ClaimVerdict>& verdicts) {
  Table table{
      "The paper's claims. In brackets: the mean difference ± its standard error, and the t "
      "statistic of the bound that decides.",
      {"Claim", "The paper says", "d", "Verdict", "Measured, ratio of means"},
      {}};
  for (const auto& [claim, verdict, judgements] : verdicts) {
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < judgements.size(); ++i)
      numbers.push_back(numbers_text(claim.comparisons[i], judgements[i], claim.measure));
    table.rows.push_back({{claim.number},
                          {claim.text, false, "words"},
                          {fmt::format("{}", claim.dimension)},
                          {std::string(name_of(verdict)), false, look_of(verdict)},
                          {fmt::format("{}", fmt::join(numbers, "\n")), false, "numbers"}});
  }
  return table;
}

std::string test_text(std::uint64_t instances) {
  if (instances < 2) return "One instance decides nothing: every claim is undecided.";
  return fmt::format(
      "Every comparison bounds a ratio of two means: “outperforms” is a ratio below 1, “similar” "
      "one "
      "between {:.2f} and {:.2f}, “competitive” one below {:.2f}, “less than half” one below 0.5; "
      "“only at a ≤ 1” also says that the ratio at a = 2 is above 1. A bound r is tested on the "
      "paired "
      "differences ours − r · theirs over the {} shared instances: Student’s t, one-sided at level "
      "{}, that is |t| > {:.2f}. A comparison holds (✓) when it is significant, does not hold (✗) "
      "when the opposite is, and is undecided (?) otherwise. A claim with several comparisons "
      "holds "
      "when all do and does not hold when one does not; “usually” asks for more than half of them. "
      "Levels are those of each comparison, not corrected for their number.",
      1.0 / similar_ratio, similar_ratio, similar_ratio, instances, test_level,
      critical_t(instances));
}

}  // namespace phe
