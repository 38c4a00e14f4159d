#include "policies/giro.hpp"

#include <limits>

#include "core/best_arm.hpp"
#include "kernels/binomial.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<GiroOptions>& Giro::keys() {
  static const Keys<GiroOptions> keys(
      "giro", {{"a", &GiroOptions::pseudo_rewards, check_scale,
                "pseudo-rewards of 0, and as many of 1, per observed reward, > 0"}});
  return keys;
}

Giro::Giro(const Arms& arms, const GiroOptions& options)
    : Configured(options),
      scale_(PerturbationScale::from(options.pseudo_rewards).value()),
      rows_(arms.dimension()),
      arms_(arms.size()),
      scores_(padded(arms.size()), -std::numeric_limits<double>::infinity()) {}

ArmId Giro::choose(Offered& /*offered*/, Rng& rng) {
  for (std::size_t k = 0; k < arms_.size(); ++k) {
    const Bootstrap& arm = arms_[k];
    scores_[k] = arm.size == 0 ? std::numeric_limits<double>::infinity()
                               : static_cast<double>(kernels::binomial(arm.size, arm.mean, rng)) /
                                     static_cast<double>(arm.size);
  }
  return best_arm(scores_, rng);
}

void Giro::observe(const Observation& observation) {
  arms_[observation.arm].add(observation.pulls, observation.reward_sum, scale_);
}

void Giro::persist(Archive& archive) {
  for (Bootstrap& arm : arms_) arm.persist(archive, scale_);
}

PolicyEntry giro_entry() {
  return entry_of<Giro>(
      "bootstrapped history with pseudo-rewards in a multi-armed bandit; ignores features",
      {.fixed_arms_only = true});
}

}  // namespace phe
