#include "policies/lin_ens.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/binomial_half.hpp"
#include "kernels/normal.hpp"
#include "kernels/root.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinEns> LinEns::create(Arms arms, const LinEnsOptions& options) {
  if (options.models < 1 || options.models > 1'000'000)
    return invalid("linens: M must be between 1 and 1000000, got {}", options.models);
  if (auto checked =
          first_error({check_positive("linens", "ridge", options.ridge),
                       check_positive("linens", "sigma", options.sigma),
                       check_range("linens", options.rewards), check_features("linens", arms)});
      !checked)
    return checked.error();
  if (auto fits = check_memory(
          fmt::format("linens: {} models of {} features", options.models, arms.dimension()),
          static_cast<double>(options.models) * static_cast<double>(arms.dimension()) *
              sizeof(double));
      !fits)
    return fits.error();
  const auto scale = PerturbationScale::from(options.perturbation_scale);
  if (!scale) return invalid("linens: {}", scale.error().message);
  return LinEns(std::move(arms), options, scale.value());
}

// With Bernoulli noise LinPHE's Gram matrix is (a + 1) (ridge I + sum x x^T); a positive factor of
// it changes no argmax and is left out.
LinEns::LinEns(Arms arms, const LinEnsOptions& options, PerturbationScale scale)
    : options_(options),
      scale_(scale),
      model_(
          std::move(arms), options.ridge,
          options.noise == EnsembleNoise::gaussian ? 1.0 / (options.sigma * options.sigma) : 1.0),
      scorer_(model_.arms()),
      history_(model_.arms().size()),
      initial_(model_.arms()),
      perturbed_pulls_(model_.arms().size()),
      models_stride_(padded(options.models)),
      noise_(models_stride_ * model_.arms().dimension()),
      draws_(models_stride_),
      trials_(models_stride_),
      row_(model_.arms().dimension()) {
  pending_.reserve(model_.arms().size());
}

ArmId LinEns::select(Rng& rng) {
  if (options_.noise == EnsembleNoise::gaussian && !prior_drawn_) draw_prior(rng);
  for (const ArmId arm : pending_) draw_noise_of(arm, rng);
  pending_.clear();
  if (options_.noise == EnsembleNoise::bernoulli && !initial_.empty()) return initial_.next();

  const auto m = static_cast<std::size_t>(rng.below(options_.models));
  for (std::size_t j = 0; j < row_.size(); ++j) row_[j] = noise(m, j);
  return scorer_.best(model_.fit(row_), rng);
}

void LinEns::draw_prior(Rng& rng) noexcept {
  // theta ~ N(0, I / ridge) is G^-1 b at the start, so b = ridge theta ~ N(0, ridge I).
  for (std::size_t m = 0; m < options_.models; ++m)
    for (std::size_t j = 0; j < row_.size(); ++j)
      noise(m, j) = std::sqrt(options_.ridge) * kernels::normal(rng);
  prior_drawn_ = true;
}

void LinEns::draw_noise_of(ArmId arm, Rng& rng) noexcept {
  const std::uint64_t before = perturbed_pulls_[arm];
  const std::uint64_t now = history_.pulls(arm);
  if (options_.noise == EnsembleNoise::gaussian) {
    // The noise of these pulls has variance (now - before) sigma^2, and the model weighs it by
    // 1 / sigma^2.
    const double deviation = std::sqrt(static_cast<double>(now - before)) / options_.sigma;
    for (std::size_t m = 0; m < options_.models; ++m) draws_[m] = deviation * kernels::normal(rng);
  } else {
    std::ranges::fill(trials_, scale_.trials(now) - scale_.trials(before));
    kernels::binomial_half(trials_, rng, draws_);
  }
  perturbed_pulls_[arm] = now;
  for (std::size_t j = 0; j < row_.size(); ++j) row_[j] = model_.arms().at(arm, j);
  // noise_m += draw_m x, for all models at once.
  kernels::add_outer({noise_.data(), row_.size(), models_stride_}, draws_.data(), row_.data());
}

void LinEns::update(ArmId arm, double reward) {
  assert(arm < model_.arms().size());
  initial_.pulled(arm);
  if (history_.pulls(arm) == perturbed_pulls_[arm]) pending_.push_back(arm);
  history_.add(arm, reward);
  model_.learn(arm, options_.rewards.to_unit(reward));
}

PolicyEntry lin_ens_entry() {
  return {
      "linens",
      "ensemble sampling: the best arm of one of M models, each with lasting noise",
      {{"M", "30", "number of models, at least 1"},
       {"noise", "gaussian", "of each model: gaussian | bernoulli (pseudo-rewards of LinPHE)"},
       {"ridge", "1", "regularisation lambda; the prior of gaussian models is N(0, I / ridge)"},
       {"sigma", "0.5", "scale of gaussian noise, > 0"},
       {"a", "1", "bernoulli pseudo-rewards per observed reward, > 0"}},
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        LinEnsOptions options;
        options.models = p.count("M");
        options.noise = static_cast<EnsembleNoise>(p.choice("noise", {"gaussian", "bernoulli"}));
        options.ridge = p.real("ridge");
        options.sigma = p.real("sigma");
        options.perturbation_scale = p.real("a");
        options.rewards = context.rewards;
        if (!p.error()) return p.error().error();
        return boxed(LinEns::create(context.arms, options));
      }};
}

}  // namespace phe
