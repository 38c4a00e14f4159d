#include "policies/phe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/binomial_half.hpp"
#include "kernels/normal.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

const Keys<PheOptions>& Phe::keys() {
  using O = PheOptions;
  static const Keys<O> keys(
      "phe", {{"a", &O::perturbation_scale, check_scale,
               "perturbation scale: pseudo-rewards per observed reward, > 0"},
              {"pseudo",
               &O::pseudo_rewards,
               {{"bernoulli", PseudoLaw::bernoulli}, {"gaussian", PseudoLaw::gaussian}},
               "law of the pseudo-rewards: bernoulli | gaussian"}});
  return keys;
}

Phe::Phe(const Arms& arms, const PheOptions& options)
    : Configured(options),
      scale_(PerturbationScale::from(options.perturbation_scale).value()),
      rows_(arms.dimension()),
      arms_(arms.size()),
      pulls_(arms.size()),
      trials_(padded(arms.size())),
      pseudo_sums_(trials_.size()),
      reward_sums_(trials_.size(), -infinity),
      inverse_sizes_(trials_.size(), 1.0),
      deviations_(trials_.size()),
      scores_(trials_.size()) {
  std::fill_n(reward_sums_.begin(), arms.size(), infinity);
}

ArmId Phe::choose(Offered& /*offered*/, Rng& rng) {
  std::ranges::copy(reward_sums_, scores_.begin());
  if (options_.pseudo_rewards == PseudoLaw::bernoulli) {
    kernels::binomial_half(trials_, rng, pseudo_sums_);
    for (std::size_t k = 0; k < scores_.size(); ++k) scores_[k] += pseudo_sums_[k];
  } else {
    for (std::size_t k = 0; k < arms_; ++k) {
      if (trials_[k] == 0) continue;
      scores_[k] += 0.5 * static_cast<double>(trials_[k]) + deviations_[k] * kernels::normal(rng);
    }
  }
  for (std::size_t k = 0; k < scores_.size(); ++k) scores_[k] *= inverse_sizes_[k];
  return best_arm(scores_, rng);
}

void Phe::observe(const Observation& observation) {
  const ArmId arm = observation.arm;
  if (pulls_[arm] == 0) reward_sums_[arm] = 0.0;
  reward_sums_[arm] += observation.reward_sum;
  pulls_[arm] += observation.pulls;
  perturb(arm);
}

void Phe::perturb(ArmId arm) noexcept {
  trials_[arm] = scale_.trials(pulls_[arm]);
  const auto pseudo = static_cast<double>(trials_[arm]);
  inverse_sizes_[arm] = 1.0 / std::max(1.0, static_cast<double>(pulls_[arm]) + pseudo);
  deviations_[arm] = 0.5 * std::sqrt(pseudo);
}

void Phe::persist(Archive& archive) {
  archive.fixed(pulls_);
  archive.fixed(reward_sums_);
  for (ArmId arm = 0; arm < reward_sums_.size(); ++arm) {
    const bool is_arm = arm < arms_;
    const std::uint64_t pulls = is_arm ? pulls_[arm] : 0;
    archive.require(scale_.allows(pulls), "more pulls than can be");
    if (pulls == 0) reward_sums_[arm] = is_arm ? infinity : -infinity;
    if (is_arm && archive.ok()) perturb(arm);
  }
}

PolicyEntry phe_entry() {
  return entry_of<Phe>("perturbed-history exploration in a multi-armed bandit; ignores features",
                       {.fixed_arms_only = true});
}

}  // namespace phe
