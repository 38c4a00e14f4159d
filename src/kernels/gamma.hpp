// Draws of the Gamma and Beta laws (Marsaglia & Tsang 2000).
#pragma once

#include <cmath>

#include "kernels/elementary.hpp"
#include "kernels/normal.hpp"
#include "phe/rng.hpp"

namespace phe::kernels {

// Log of a Gamma(shape, 1) draw; as a logarithm, because a small shape gives values below the
// smallest double. Precondition: shape > 0.
template <class Generator>
double log_gamma(double shape, Generator& words) noexcept {
  // Gamma(shape) = Gamma(shape + 1) * U^(1 / shape) for shapes below 1.
  const double boost = shape < 1.0 ? log(1.0 - to_unit(words())) / shape : 0.0;
  const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = normal(words);
    const double root = 1.0 + c * z;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    const double log_v = log(v);
    if (log(1.0 - to_unit(words())) < 0.5 * z * z + d * (1.0 - v + log_v))
      return log(d) + log_v + boost;
  }
}

// Beta(a, b) = Gamma / (Gamma + Gamma').
template <class Generator>
double beta(double a, double b, Generator& words) noexcept {
  const double x = log_gamma(a, words);
  const double y = log_gamma(b, words);
  return 1.0 / (1.0 + exp(y - x));
}

}  // namespace phe::kernels
