#include "report/paired.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "report/observations.hpp"
#include "report/student_t.hpp"
#include "report/verdict.hpp"

namespace phe {

namespace {

// One of `count` differences that hold together when each interval reaches `critical` standard
// errors to both sides.
PairedDifference difference_of(std::span<const double> ours, std::span<const double> theirs,
                               double critical, std::size_t count, Replicates replicates) {
  const Judgement judgement = judge(better, ours, theirs);
  const double factor = error_factor(replicates, ours.size());
  const double half = critical * judgement.standard_error * factor;
  const double t = judgement.t / factor;
  const double tail = student_t_cdf(-std::abs(t), static_cast<double>(ours.size() - 1));
  return {.difference = judgement.difference,
          .standard_error = judgement.standard_error * factor,
          .low = judgement.difference - half,
          .high = judgement.difference + half,
          .t = t,
          .p_value = std::min(1.0, static_cast<double>(count) * 2.0 * tail),
          .ratio = judgement.ratio};
}

}  // namespace

std::vector<PolicyPair> all_pairs(std::span<const std::size_t> policies) {
  std::vector<PolicyPair> pairs;
  for (std::size_t i = 0; i < policies.size(); ++i)
    for (std::size_t j = i + 1; j < policies.size(); ++j)
      pairs.push_back({policies[i], policies[j]});
  return pairs;
}

std::vector<PolicyPair> pairs_with(std::span<const std::size_t> policies, std::size_t other) {
  std::vector<PolicyPair> pairs;
  for (const std::size_t policy : policies)
    if (policy != other) pairs.push_back({policy, other});
  return pairs;
}

std::vector<PairedDifference> paired_differences(const Plan& plan, const Runs& runs,
                                                 std::span<const PolicyPair> pairs,
                                                 double confidence, Replicates replicates) {
  const std::uint64_t instances = plan.experiment().instances;
  assert(instances >= 2 && confidence > 0.0 && confidence < 1.0);
  const std::size_t problems = plan.problems().size();
  const std::size_t count = problems * pairs.size();
  if (count == 0) return {};
  const double critical =
      student_t_quantile(1.0 - 0.5 * (1.0 - confidence) / static_cast<double>(count),
                         static_cast<double>(instances - 1));
  std::vector<PairedDifference> differences;
  for (std::size_t problem = 0; problem < problems; ++problem)
    for (const auto& [policy, other] : pairs) {
      auto& difference = differences.emplace_back(
          difference_of(observations(plan, runs, problem, policy),
                        observations(plan, runs, problem, other), critical, count, replicates));
      difference.problem = problem;
      difference.policy = policy;
      difference.other = other;
    }
  return differences;
}

}  // namespace phe
