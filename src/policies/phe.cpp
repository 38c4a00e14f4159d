#include "policies/phe.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "kernels/binomial_half.hpp"
#include "kernels/normal.hpp"
#include "policies/best_arm.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Result<Phe> Phe::create(std::size_t arms, const PheOptions& options) {
  if (auto checked = check_range("phe", options.rewards); !checked) return checked.error();
  const auto scale = PerturbationScale::from(options.perturbation_scale);
  if (!scale) return invalid("phe: {}", scale.error().message);
  if (arms < 1) return invalid("phe: there must be at least 1 arm, got 0");
  return Phe(arms, options, scale.value());
}

Phe::Phe(std::size_t arms, const PheOptions& options, PerturbationScale scale)
    : options_(options),
      history_(arms),
      scale_(scale),
      trials_(padded(arms)),
      pseudo_sums_(trials_.size()),
      reward_sums_(padded(arms), -infinity),
      inverse_sizes_(reward_sums_.size(), 1.0),
      deviations_(reward_sums_.size()),
      scores_(reward_sums_.size()) {
  std::fill_n(reward_sums_.begin(), arms, infinity);
}

ArmId Phe::select(Rng& rng) {
  std::ranges::copy(reward_sums_, scores_.begin());
  if (options_.pseudo_rewards == PseudoLaw::bernoulli) {
    kernels::binomial_half(trials_, rng, pseudo_sums_);
    for (std::size_t k = 0; k < scores_.size(); ++k) scores_[k] += pseudo_sums_[k];
  } else {
    for (std::size_t k = 0; k < history_.rows(); ++k) {
      if (trials_[k] == 0) continue;
      scores_[k] += 0.5 * static_cast<double>(trials_[k]) + deviations_[k] * kernels::normal(rng);
    }
  }
  for (std::size_t k = 0; k < scores_.size(); ++k) scores_[k] *= inverse_sizes_[k];
  return best_arm(scores_, rng);
}

void Phe::update(ArmId arm, double reward) {
  assert(arm < history_.rows());
  if (history_.pulls(arm) == 0) reward_sums_[arm] = 0.0;
  history_.add(arm, reward);
  reward_sums_[arm] += options_.rewards.to_unit(reward);
  trials_[arm] = scale_.trials(history_.pulls(arm));
  const auto pseudo = static_cast<double>(trials_[arm]);
  inverse_sizes_[arm] = 1.0 / (static_cast<double>(history_.pulls(arm)) + pseudo);
  deviations_[arm] = 0.5 * std::sqrt(pseudo);
}

PolicyEntry phe_entry() {
  return {"phe",
          "perturbed-history exploration in a multi-armed bandit; ignores features",
          {{"a", "1.1", "perturbation scale: pseudo-rewards per observed reward, > 0"},
           {"pseudo", "bernoulli", "law of the pseudo-rewards: bernoulli | gaussian"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            PheOptions options;
            options.perturbation_scale = p.real("a");
            options.pseudo_rewards =
                static_cast<PseudoLaw>(p.choice("pseudo", {"bernoulli", "gaussian"}));
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            return boxed(Phe::create(context.arms.size(), options));
          }};
}

}  // namespace phe
