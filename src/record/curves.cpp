#include "record/curves.hpp"

#include <cassert>

namespace phe {

std::vector<Curve> curves_of(const Plan& plan, const Runs& runs) {
  const std::uint64_t instances = plan.experiment().instances;
  std::vector<Curve> curves;
  auto run = runs.begin();
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem)
    for (std::size_t policy = 0; policy < plan.policies().size(); ++policy) {
      Curve& curve = curves.emplace_back(Curve{.problem = problem, .policy = policy});
      std::vector<std::vector<double>> values(plan.checkpoints().size());
      for (std::uint64_t i = 0; i < instances; ++i, ++run) {
        assert(run != runs.end() && run->first.problem == problem && run->first.policy == policy);
        curve.seconds += run->second.seconds;
        for (std::size_t c = 0; c < values.size(); ++c) values[c].push_back(run->second.regret[c]);
      }
      for (const auto& at_checkpoint : values)
        curve.regret.push_back(mean_and_error(at_checkpoint));
      const auto rounds = static_cast<double>(plan.experiment().rounds * instances);
      curve.ns_per_round = 1e9 * curve.seconds / rounds;
    }
  return curves;
}

std::string problem_label(const ProblemSpec& problem) {
  return problem.parameters.shown({"d", "arms"});
}

}  // namespace phe
