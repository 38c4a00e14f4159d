#include "report/growing.hpp"

#include "report/student_t.hpp"

namespace phe {

namespace {

// At each checkpoint the values of all instances, in the order of their numbers.
using Columns = std::vector<std::vector<double>>;

void collect(const std::vector<double>& regret, const std::vector<double>* minus,
             Columns& columns) {
  columns.resize(regret.size());
  for (std::size_t c = 0; c < regret.size(); ++c)
    columns[c].push_back(regret[c] - (minus == nullptr ? 0.0 : (*minus)[c]));
}

template <class Curve>
void summarise(const Columns& columns, Curve& curve) {
  for (const auto& values : columns) curve.regret.push_back(mean_and_error(values));
  curve.instances = columns.empty() ? 0 : columns.front().size();
}

}  // namespace

std::vector<GrowingCurve> growing_curves(const Plan& plan, const Runs& runs) {
  std::vector<GrowingCurve> curves;
  auto run = runs.begin();
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem)
    for (std::size_t policy = 0; policy < plan.policies().size(); ++policy) {
      Columns columns;
      for (; run != runs.end() && run->first.problem == problem && run->first.policy == policy;
           ++run)
        collect(run->second.regret, nullptr, columns);
      summarise(columns, curves.emplace_back(GrowingCurve{problem, policy}));
    }
  return curves;
}

std::vector<GrowingDifference> growing_differences(const Plan& plan, const Runs& runs,
                                                   std::size_t other, double confidence) {
  const Experiment& e = plan.experiment();
  const std::size_t count = plan.problems().size() * (plan.policies().size() - 1);
  std::vector<GrowingDifference> differences;
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem)
    for (std::size_t policy = 0; policy < plan.policies().size(); ++policy) {
      if (policy == other) continue;
      Columns columns;
      for (std::uint64_t i = e.first_instance; i < e.first_instance + e.instances; ++i) {
        const auto ours = runs.find({problem, policy, i});
        const auto theirs = runs.find({problem, other, i});
        if (ours != runs.end() && theirs != runs.end())
          collect(ours->second.regret, &theirs->second.regret, columns);
      }
      auto& difference = differences.emplace_back();
      difference.problem = problem;
      difference.policy = policy;
      summarise(columns, difference);
      if (difference.instances < 2) continue;
      const double critical =
          student_t_quantile(1.0 - 0.5 * (1.0 - confidence) / static_cast<double>(count),
                             static_cast<double>(difference.instances - 1));
      const MeanAndError& last = difference.regret.back();
      difference.low = last.mean - critical * last.standard_error;
      difference.high = last.mean + critical * last.standard_error;
    }
  return differences;
}

}  // namespace phe
