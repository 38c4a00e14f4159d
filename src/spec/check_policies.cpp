#include "spec/check_policies.hpp"

namespace phe {

Result<void> check_policies(const Plan& plan) {
  for (std::size_t problem = 0; problem < plan.problems().size(); ++problem) {
    const auto instance = plan.instance(problem, plan.experiment().first_instance);
    if (!instance) return instance.error();
    const auto context = PolicyContext::of(*instance.value(), plan.experiment().rounds);
    for (const PolicySpec& policy : plan.policies())
      if (const auto made = policy.make(context); !made) return made.error();
  }
  return {};
}

}  // namespace phe
