#include "problems/reward_noise.hpp"

#include <cmath>

#include "kernels/elementary.hpp"
#include "kernels/normal.hpp"

namespace phe {

namespace {

// Log of a Gamma(shape, 1) draw (Marsaglia & Tsang 2000); as a logarithm, because a small shape
// gives values below the smallest double.
double log_gamma_draw(double shape, SplitMix& words) noexcept {
  // Gamma(shape) = Gamma(shape + 1) * U^(1 / shape) for shapes below 1.
  const double boost = shape < 1.0 ? kernels::log(1.0 - to_unit(words())) / shape : 0.0;
  const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = kernels::normal(words);
    const double root = 1.0 + c * z;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    const double log_v = kernels::log(v);
    if (kernels::log(1.0 - to_unit(words())) < 0.5 * z * z + d * (1.0 - v + log_v))
      return kernels::log(d) + log_v + boost;
  }
}

}  // namespace

double RewardNoise::beta(double mean, SplitMix& words) const noexcept {
  if (mean <= 0.0 || mean >= 1.0) return mean;  // Beta's limits: all mass at 0 or at 1
  const double x = log_gamma_draw(mean * shape_, words);
  const double y = log_gamma_draw((1.0 - mean) * shape_, words);
  return 1.0 / (1.0 + kernels::exp(y - x));  // Gamma / (Gamma + Gamma')
}

}  // namespace phe
