#include "problems/sphere_contexts.hpp"

#include <algorithm>

#include "kernels/elementary.hpp"
#include "kernels/logistic.hpp"
#include "problems/sphere.hpp"

namespace phe {

SphereContexts::SphereContexts(std::size_t dimension, std::size_t actions,
                               std::vector<std::vector<double>> thetas, SphereMean mean,
                               RewardNoise noise, StreamKey key)
    : ContextInstance(dimension, thetas.size() > 1, noise.range()),
      actions_(actions),
      thetas_(std::move(thetas)),
      mean_(mean),
      noise_(noise),
      contexts_(key.with(Stream::context)) {}

void SphereContexts::offer(std::uint64_t round, ContextRound& offered) const {
  const std::size_t d = arms().dimension();
  const std::size_t rows = one_context() ? 1 : actions_;
  offered.features.resize(rows * d);
  offered.means.resize(actions_);
  Rng rng(contexts_.with(round));
  for (std::size_t row = 0; row < rows; ++row) {
    const auto x = std::span(offered.features).subspan(row * d, d);
    draw_on_sphere(x.first(d - 1), 1.0, rng);
    x[d - 1] = 1.0;
  }
  for (std::size_t k = 0; k < actions_; ++k)
    offered.means[k] = one_context()
                           ? mean(offered.features, thetas_[k])
                           : mean(std::span(offered.features).subspan(k * d, d), thetas_[0]);
}

double SphereContexts::mean(std::span<const double> x, const std::vector<double>& theta) const {
  double score = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) score += x[j] * theta[j];
  return mean_at(mean_, score);
}

double mean_at(SphereMean mean, double score) noexcept {
  if (mean == SphereMean::logistic) return kernels::scalar::sigmoid(score);
  if (mean == SphereMean::poisson) return kernels::exp(score);
  // In [0, 1] by construction; rounding may step over the edge by an ulp.
  return std::clamp(score, 0.0, 1.0);
}

Result<Arms> draw_sphere_arms(std::size_t count, std::size_t dimension, Rng& rng) {
  std::vector<double> row(dimension, 1.0);
  return Arms::generate(count, dimension, [&](std::size_t, std::size_t feature) {
    if (feature == 0) draw_on_sphere(std::span(row).first(dimension - 1), 1.0, rng);
    return row[feature];
  });
}

std::vector<double> draw_theta(std::size_t dimension, double length, double last, Rng& rng) {
  std::vector<double> theta(dimension, last);
  draw_on_sphere(std::span(theta).first(dimension - 1), length, rng);
  return theta;
}

}  // namespace phe
