#include "policies/lin_ens.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/binomial_half.hpp"
#include "kernels/normal.hpp"
#include "kernels/root.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<LinEnsOptions>& LinEns::keys() {
  using O = LinEnsOptions;
  static const Keys<O> keys(
      "linens", {{"M", &O::models, "number of models, at least 1"},
                 {"noise",
                  &O::noise,
                  {{"gaussian", EnsembleNoise::gaussian}, {"bernoulli", EnsembleNoise::bernoulli}},
                  "of each model: gaussian | bernoulli (pseudo-rewards of LinPHE)"},
                 {"ridge", &O::ridge, check_positive,
                  "regularisation lambda; the prior of gaussian models is N(0, I / ridge)"},
                 {"sigma", &O::sigma, check_positive, "scale of gaussian noise, > 0"},
                 {"a", &O::perturbation_scale, check_scale,
                  "bernoulli pseudo-rewards per observed reward, > 0"},
                 {"a perturbed prior", &O::perturb_prior}});
  return keys;
}

Result<void> LinEns::check(const Arms& arms, const LinEnsOptions& options) {
  if (options.models < 1 || options.models > 1'000'000)
    return invalid("linens: M must be between 1 and 1000000, got {}", options.models);
  return first_error({check_arms("linens", arms),
                      check_memory(fmt::format("linens: {} models of {} features", options.models,
                                               arms.dimension()),
                                   static_cast<double>(options.models) *
                                       static_cast<double>(arms.dimension()) * sizeof(double))});
}

// With Bernoulli noise LinPHE's Gram matrix is (a + 1) (ridge I + sum x x^T); a positive factor of
// it changes no argmax and is left out.
LinEns::LinEns(const Arms& arms, const LinEnsOptions& options)
    : Configured(
          options, arms.dimension(), options.ridge,
          options.noise == EnsembleNoise::gaussian ? 1.0 / (options.sigma * options.sigma) : 1.0),
      law_(PerturbationScale::from(options.perturbation_scale).value(), arms.empty()),
      pulls_(arms.size()),
      perturbed_pulls_(arms.size()),
      models_stride_(padded(options.models)),
      noise_(models_stride_ * arms.dimension()),
      draws_(models_stride_),
      trials_(models_stride_),
      row_(arms.dimension()) {
  pending_.reserve(arms.size());
}

std::unique_ptr<Learner> LinEns::clone() const {
  auto copy = std::make_unique<LinEns>(*this);
  copy->pending_.reserve(pending_.capacity());
  return copy;
}

std::span<const double> LinEns::draw(Rng& rng) {
  if (!prior_drawn_) draw_prior(rng);
  for (const RowId row : pending_) draw_noise_of(row, rng);
  pending_.clear();
  const auto m = static_cast<std::size_t>(rng.below(options_.models));
  for (std::size_t j = 0; j < row_.size(); ++j) row_[j] = noise(m, j);
  return model_.fit(row_);
}

void LinEns::draw_prior(Rng& rng) noexcept {
  prior_drawn_ = true;
  // theta ~ N(0, I / ridge) is G^-1 b at the start, so b = ridge theta ~ N(0, ridge I).
  double deviation = std::sqrt(options_.ridge);
  if (options_.noise == EnsembleNoise::bernoulli)
    deviation *= options_.perturb_prior ? 0.5 * std::sqrt(law_.a()) : 0.0;
  if (deviation == 0.0) return;
  for (std::size_t m = 0; m < options_.models; ++m)
    for (std::size_t j = 0; j < row_.size(); ++j) noise(m, j) = deviation * kernels::normal(rng);
}

void LinEns::draw_noise_of(RowId row, Rng& rng) noexcept {
  const std::uint64_t before = perturbed_pulls_[row];
  const std::uint64_t now = pulls_[row];
  if (options_.noise == EnsembleNoise::gaussian) {
    // The noise of these pulls has variance (now - before) sigma^2, and the model weighs it by
    // 1 / sigma^2.
    const double deviation = std::sqrt(static_cast<double>(now - before)) / options_.sigma;
    for (std::size_t m = 0; m < options_.models; ++m) draws_[m] = deviation * kernels::normal(rng);
  } else {
    const std::uint64_t flips = law_.flips(now) - law_.flips(before);
    std::ranges::fill(trials_, flips);
    kernels::binomial_half(trials_, rng, draws_);
    if (law_.spread() != 1.0)
      for (double& draw : draws_) draw = law_.scaled(draw, static_cast<double>(flips));
  }
  perturbed_pulls_[row] = now;
  std::copy_n(rows_.features(row).begin(), row_.size(), row_.begin());
  // noise_m += draw_m x, for all models at once.
  kernels::add_outer({noise_.data(), row_.size(), models_stride_}, draws_.data(), row_.data());
}

void LinEns::observe(const Observation& observation) {
  const RowId row = observation.row;
  if (row >= pulls_.size()) {
    pulls_.resize(row + 1);
    perturbed_pulls_.resize(row + 1);
  }
  if (pulls_[row] == perturbed_pulls_[row]) pending_.push_back(row);
  pulls_[row] += observation.pulls;
  LinearLearner::observe(observation);
}

Result<void> LinEns::weighable() const {
  if (options_.noise == EnsembleNoise::gaussian || law_.contexts() || law_.whole()) return {};
  return invalid("linens: rows of fixed arms can only be weighed with a whole a, got {}", law_.a());
}

void LinEns::persist(Archive& archive) {
  LinearLearner::persist(archive);
  archive(prior_drawn_);
  archive(pulls_);
  archive(perturbed_pulls_);
  archive(pending_);
  archive.fixed(noise_);
  archive.require(pulls_.size() == perturbed_pulls_.size() && pulls_.size() >= rows_.size(),
                  "pulls of another number of rows");
  if (!archive.ok()) return;
  for (std::size_t row = 0; row < pulls_.size(); ++row)
    archive.require(perturbed_pulls_[row] <= pulls_[row] && law_.allows(pulls_[row]),
                    "more pulls than can be");
  for (const RowId row : pending_) archive.require(row < rows_.size(), "a row that does not exist");
}

Result<void> LinEns::mergeable() const {
  return invalid("linens: its models keep the noise of each reward, and noise does not add up");
}

PolicyEntry lin_ens_entry() {
  return entry_of<LinEns>(
      "ensemble sampling: the best arm of one of M models, each with lasting noise",
      [](const LinEnsOptions& options, const PolicyContext&) -> Shape {
        if (options.noise == EnsembleNoise::gaussian) return {};
        return {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true};
      });
}

}  // namespace phe
