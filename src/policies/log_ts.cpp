#include "policies/log_ts.hpp"

#include <cassert>

#include "kernels/normal.hpp"
#include "policies/best_arm.hpp"
#include "policies/binary_rewards.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LogTs> LogTs::create(const Arms& arms, const LogTsOptions& options) {
  if (auto checked = first_error({check_positive("logts", "ridge", options.ridge),
                                  check_range("logts", options.rewards),
                                  LogisticModel::check("logts", arms, options.ridge)});
      !checked)
    return checked.error();
  return LogTs(arms, options);
}

LogTs::LogTs(const Arms& arms, const LogTsOptions& options)
    : options_(options), map_(arms, options.ridge), normals_(arms.dimension()) {}

ArmId LogTs::select(Rng& rng) { return best_arm(map_.score(sample(rng)), rng); }

std::span<const double> LogTs::sample(Rng& rng) noexcept {
  for (double& normal : normals_) normal = kernels::normal(rng);
  return map_.sample(normals_);
}

void LogTs::update(ArmId arm, double reward) {
  assert(arm < map_.arms().size());
  map_.learn(arm, binary(options_.rewards, reward));
}

PolicyEntry log_ts_entry() {
  return {"logts",
          "Thompson sampling on the logistic model, Laplace's approximation; rewards are 0 or 1",
          {{"ridge", "0.5", "the prior is N(0, I / (2 ridge)); > 0"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LogTsOptions options;
            options.ridge = p.real("ridge");
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            if (auto rewards = check_binary("logts", context); !rewards) return rewards.error();
            return boxed(LogTs::create(context.arms, options));
          }};
}

}  // namespace phe
