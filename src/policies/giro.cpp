#include "policies/giro.hpp"

#include <cassert>
#include <limits>

#include "kernels/binomial.hpp"
#include "policies/best_arm.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<Giro> Giro::create(std::size_t arms, const GiroOptions& options) {
  if (auto checked = check_range("giro", options.rewards); !checked) return checked.error();
  const auto scale = PerturbationScale::from(options.pseudo_rewards);
  if (!scale) return invalid("giro: {}", scale.error().message);
  if (arms < 1) return invalid("giro: there must be at least 1 arm, got 0");
  return Giro(arms, options, scale.value());
}

Giro::Giro(std::size_t arms, const GiroOptions& options, PerturbationScale scale)
    : options_(options),
      scale_(scale),
      arms_(arms),
      scores_(padded(arms), -std::numeric_limits<double>::infinity()) {
  std::fill_n(scores_.begin(), arms, std::numeric_limits<double>::infinity());
}

ArmId Giro::select(Rng& rng) {
  for (std::size_t k = 0; k < arms_.size(); ++k) {
    const Bootstrap& arm = arms_[k];
    if (arm.size == 0) continue;  // its score stays infinite
    scores_[k] = static_cast<double>(kernels::binomial(arm.size, arm.mean, rng)) /
                 static_cast<double>(arm.size);
  }
  return best_arm(scores_, rng);
}

void Giro::update(ArmId arm, double reward) {
  assert(arm < arms_.size());
  Bootstrap& b = arms_[arm];
  b.reward_sum += options_.rewards.to_unit(reward);
  const std::uint64_t pseudo = scale_.trials(++b.pulls);
  b.size = b.pulls + 2 * pseudo;
  b.mean = (b.reward_sum + static_cast<double>(pseudo)) / static_cast<double>(b.size);
}

PolicyEntry giro_entry() {
  return {"giro",
          "bootstrapped history with pseudo-rewards in a multi-armed bandit; ignores features",
          {{"a", "1", "pseudo-rewards of 0, and as many of 1, per observed reward, > 0"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            GiroOptions options;
            options.pseudo_rewards = p.real("a");
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            return boxed(Giro::create(context.arms.size(), options));
          }};
}

}  // namespace phe
