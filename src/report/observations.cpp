#include "report/observations.hpp"

namespace phe {

std::vector<double> observations(const Plan& plan, const Runs& runs, std::size_t problem,
                                 std::size_t policy, Measure measure) {
  const Experiment& experiment = plan.experiment();
  std::vector<double> values;
  for (std::uint64_t i = 0; i < experiment.instances; ++i) {
    const RunResult& run = runs.at({problem, policy, experiment.first_instance + i});
    values.push_back(measure == Measure::final_regret
                         ? run.regret.back()
                         : 1e9 * run.seconds / static_cast<double>(experiment.rounds));
  }
  return values;
}

}  // namespace phe
