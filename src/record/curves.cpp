#include "record/curves.hpp"

#include <cassert>

namespace phe {

namespace {

// Adds one run's column to those of the other instances, checkpoint by checkpoint.
template <class Column>
void collect(const Column& column, std::vector<std::vector<double>>& values) {
  values.resize(column.size());
  for (std::size_t c = 0; c < column.size(); ++c)
    values[c].push_back(static_cast<double>(column[c]));
}

std::vector<MeanAndError> means_of(const std::vector<std::vector<double>>& values) {
  std::vector<MeanAndError> means;
  for (const auto& at_checkpoint : values) means.push_back(mean_and_error(at_checkpoint));
  return means;
}

}  // namespace

std::vector<Curve> curves_of(const Plan& plan, const Runs& runs) {
  const std::uint64_t instances = plan.experiment().instances;
  std::vector<Curve> curves;
  auto run = runs.begin();
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem)
    for (std::size_t policy = 0; policy < plan.policies().size(); ++policy) {
      Curve& curve = curves.emplace_back(Curve{.problem = problem, .policy = policy});
      std::vector<std::vector<double>> regret;
      std::vector<std::vector<double>> reward;
      std::vector<std::vector<double>> best_pulls;
      for (std::uint64_t i = 0; i < instances; ++i, ++run) {
        assert(run != runs.end() && run->first.problem == problem && run->first.policy == policy);
        curve.seconds += run->second.seconds;
        collect(run->second.regret, regret);
        collect(run->second.reward, reward);
        collect(run->second.best_pulls, best_pulls);
      }
      curve.regret = means_of(regret);
      curve.reward = means_of(reward);
      curve.best_pulls = means_of(best_pulls);
      const auto rounds = static_cast<double>(plan.experiment().rounds * instances);
      curve.ns_per_round = 1e9 * curve.seconds / rounds;
    }
  return curves;
}

std::string problem_label(const ProblemSpec& problem) {
  return problem.parameters.shown({"d", "arms"});
}

}  // namespace phe
