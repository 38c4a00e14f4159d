#include "spec/check_policies.hpp"

#include "sim/policy_context.hpp"

namespace phe {

Result<void> check_policies(const Plan& plan) {
  for (const ProblemSpec& problem : plan.problems()) {
    const auto instance = problem.problem->draw(StreamKey(plan.experiment().seed));
    if (!instance) return instance.error();
    const PolicyContext context = policy_context(*instance.value(), plan.experiment().rounds);
    for (const PolicySpec& policy : plan.policies())
      if (const auto made = policy.make(context); !made) return made.error();
  }
  return {};
}

}  // namespace phe
