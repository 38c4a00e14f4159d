#include "policies/giro.hpp"

#include <limits>

#include "core/best_arm.hpp"
#include "kernels/binomial.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<Giro> Giro::create(const Arms& arms, const GiroOptions& options) {
  const auto scale = PerturbationScale::from(options.pseudo_rewards);
  if (!scale) return invalid("giro: {}", scale.error().message);
  return Giro(arms, options, scale.value());
}

Giro::Giro(const Arms& arms, const GiroOptions& options, PerturbationScale scale)
    : options_(options),
      scale_(scale),
      rows_(arms.dimension()),
      arms_(arms.size()),
      scores_(padded(arms.size()), -std::numeric_limits<double>::infinity()) {
  std::fill_n(scores_.begin(), arms.size(), std::numeric_limits<double>::infinity());
}

ArmId Giro::choose(Offered& /*offered*/, Rng& rng) {
  for (std::size_t k = 0; k < arms_.size(); ++k) {
    const Bootstrap& arm = arms_[k];
    if (arm.size == 0) continue;  // its score stays infinite
    scores_[k] = static_cast<double>(kernels::binomial(arm.size, arm.mean, rng)) /
                 static_cast<double>(arm.size);
  }
  return best_arm(scores_, rng);
}

void Giro::observe(const Observation& observation) {
  arms_[observation.arm].add(observation.pulls, observation.reward_sum, scale_);
}

void Giro::persist(Archive& archive) {
  for (Bootstrap& arm : arms_) arm.persist(archive);
  archive.fixed(scores_);
}

PolicyEntry giro_entry() {
  return {"giro",
          "bootstrapped history with pseudo-rewards in a multi-armed bandit; ignores features",
          with_common_keys(
              {{"a", "1", "pseudo-rewards of 0, and as many of 1, per observed reward, > 0"}}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            GiroOptions options;
            options.pseudo_rewards = p.real("a");
            return make_policy(p, context, [&] { return Giro::create(context.arms, options); },
                               {.fixed_arms_only = true});
          }};
}

}  // namespace phe
