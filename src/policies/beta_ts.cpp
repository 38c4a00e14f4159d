#include "policies/beta_ts.hpp"

#include <algorithm>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/gamma.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

// Below 1 the density has no bound, and the probabilities no quadrature.
Result<void> check_prior(std::string_view policy, std::string_view key, double value) {
  if (value >= 1 && value <= 1e6) return {};
  return invalid("{}: {} must be from 1 to 1e+06, got {}", policy, key, value);
}

}  // namespace

const Keys<BetaTsOptions>& BetaTs::keys() {
  static const Keys<BetaTsOptions> keys(
      "betats",
      {{"alpha", &BetaTsOptions::alpha, check_prior, "of the prior Beta(alpha, beta), from 1 on"},
       {"beta", &BetaTsOptions::beta, check_prior, "of the prior, from 1 on"}});
  return keys;
}

BetaTs::BetaTs(const Arms& arms, const BetaTsOptions& options)
    : Configured(options),
      rows_(arms.dimension()),
      sums_(arms.size()),
      shapes_(arms.size(), {options.alpha, options.beta}),
      draws_(padded(arms.size()), -std::numeric_limits<double>::infinity()) {}

void BetaTs::observe(const Observation& observation) {
  sums_.add(observation);
  shape(observation.arm);
}

// A sum of rewards may step over the edge by its rounding.
void BetaTs::shape(std::size_t arm) noexcept {
  const auto pulls = static_cast<double>(sums_.pulls[arm]);
  const double successes = std::clamp(sums_.reward_sums[arm], 0.0, pulls);
  shapes_[arm] = {options_.alpha + successes, options_.beta + (pulls - successes)};
}

ArmId BetaTs::choose(Offered& /*offered*/, Rng& rng) {
  for (std::size_t arm = 0; arm < shapes_.size(); ++arm)
    draws_[arm] = kernels::beta(shapes_[arm].alpha, shapes_[arm].beta, rng);
  return best_arm(draws_, rng);
}

bool BetaTs::probabilities(Offered& /*offered*/, std::span<double> of_each) {
  best_.probabilities(shapes_, of_each);
  return true;
}

void BetaTs::persist(Archive& archive) {
  sums_.persist(archive);
  if (!archive.ok()) return;
  for (std::size_t arm = 0; arm < shapes_.size(); ++arm) shape(arm);
}

PolicyEntry beta_ts_entry() {
  return entry_of<BetaTs>(
      "Thompson sampling with Beta posteriors in a multi-armed bandit; ignores "
      "features",
      {.fixed_arms_only = true});
}

}  // namespace phe
