#include "spec/plan_memory.hpp"

#include <algorithm>

#include "support/error.hpp"
#include "support/memory.hpp"

namespace phe {

namespace {

// A run that is kept: its regrets twice, on the way into curves, and its place in lists and a map.
double bytes_of_run(std::size_t checkpoints, std::size_t columns, bool tables) {
  constexpr double csv_row = 64;  // "linear,10,100,linphe:a=1,17,10000,123.45678901234567"
  constexpr double csv_number = 20;
  const auto more = static_cast<double>(columns);
  const double numbers = 2 * sizeof(double) * (1 + more);
  return 256 +
         static_cast<double>(checkpoints) * (numbers + (tables ? csv_row + more * csv_number : 0));
}

Result<void> check_instances(const ProblemSpec& spec, std::uint64_t at_once) {
  const Problem& problem = *spec.problem;
  const double bytes = static_cast<double>(at_once) * static_cast<double>(problem.arms()) *
                       static_cast<double>(problem.dimension()) * sizeof(double);
  return check_memory(fmt::format("problem {}: {} instances of {} arms and {} features, one a "
                                  "thread,",
                                  spec.text, at_once, problem.arms(), problem.dimension()),
                      bytes);
}

}  // namespace

Result<void> check_plan_memory(const Plan& plan, unsigned threads, bool tables) {
  const Experiment& e = plan.experiment();
  const std::uint64_t runs = e.problems.size() * e.policies.size() * e.instances;
  for (const ProblemSpec& problem : plan.problems())
    if (auto fits = check_instances(problem, std::min<std::uint64_t>(runs, threads)); !fits)
      return fits;
  const double each = bytes_of_run(plan.checkpoints().size(), e.columns.size(), tables);
  return check_memory(fmt::format("the results of {} runs", runs),
                      static_cast<double>(runs) * each);
}

}  // namespace phe
