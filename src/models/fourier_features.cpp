#include "models/fourier_features.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/cosine.hpp"
#include "kernels/normal.hpp"
#include "phe/rng.hpp"

namespace phe {

FourierFeatures::FourierFeatures(std::size_t dimension, const FourierOptions& options)
    : inputs_(dimension),
      linear_(options.linear),
      height_(options.weight * std::sqrt(2.0 / static_cast<double>(options.features))),
      weights_(dimension * options.features),
      turns_(options.features) {
  constexpr double inverse_two_pi = 0x1.45f306dc9c883p-3;
  // Feature i has a stream of its own: with more features, the first ones stay what they were.
  const StreamKey key =
      StreamKey(options.draw).with("fourier features").with(std::uint64_t{dimension});
  for (std::size_t i = 0; i < options.features; ++i) {
    Rng rng(key.with(std::uint64_t{i}));
    turns_[i] = to_unit(rng());
    for (std::size_t j = 0; j < dimension; ++j)
      weights_[j * options.features + i] = inverse_two_pi * kernels::normal(rng) / options.scale;
  }
  if (!options.orthogonal) return;
  for (std::size_t first = 0; first < options.features; first += dimension)
    make_orthogonal(first, std::min(dimension, options.features - first));
}

// Gram and Schmidt, twice, because once leaves what rounding makes of nearly equal directions.
void FourierFeatures::make_orthogonal(std::size_t first, std::size_t count) noexcept {
  const auto entry = [&](std::size_t i, std::size_t j) -> double& {
    return weights_[j * turns_.size() + first + i];
  };
  const auto product = [&](std::size_t one, std::size_t other) {
    double sum = 0.0;
    for (std::size_t j = 0; j < inputs_; ++j) sum += entry(one, j) * entry(other, j);
    return sum;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double length = std::sqrt(product(i, i));
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t before = 0; before < i; ++before) {
        const double share = product(i, before) / product(before, before);
        for (std::size_t j = 0; j < inputs_; ++j) entry(i, j) -= share * entry(before, j);
      }
    const double stretch = length / std::sqrt(product(i, i));
    for (std::size_t j = 0; j < inputs_; ++j) entry(i, j) *= stretch;
  }
}

void FourierFeatures::map(std::span<const double> x, std::span<double> phi) const noexcept {
  if (linear_) {
    std::copy_n(x.begin(), inputs_, phi.begin());
    phi = phi.subspan(inputs_);
  }
  const std::size_t count = turns_.size();
  std::ranges::copy(turns_, phi.begin());
  for (std::size_t j = 0; j < inputs_; ++j) {
    const double* const w = weights_.data() + j * count;
    for (std::size_t i = 0; i < count; ++i) phi[i] += w[i] * x[j];
  }
  for (std::size_t i = 0; i < count; ++i) phi[i] = height_ * kernels::cos_turns(phi[i]);
}

Result<Arms> FourierFeatures::map(const Arms& arms) const {
  if (arms.empty()) return Arms::none(outputs());
  std::vector<double> x(inputs_);
  std::vector<double> phi(outputs());
  return Arms::generate(arms.size(), outputs(), [&](std::size_t arm, std::size_t feature) {
    if (feature == 0) {
      arms.copy_row(static_cast<ArmId>(arm), x);
      map(x, phi);
    }
    return phi[feature];
  });
}

}  // namespace phe
