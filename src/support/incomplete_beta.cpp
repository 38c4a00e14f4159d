#include "support/incomplete_beta.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace phe {

namespace {

double away_from_zero(double x) { return std::abs(x) < 1e-300 ? 1e-300 : x; }

// The continued fraction of I_x(a, b) (DLMF 8.17.22) by Lentz's method. It takes O(sqrt(max(a, b)))
// terms for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr int most_terms = 100'000;
  constexpr double enough = 4 * std::numeric_limits<double>::epsilon();
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double value = d;
  for (int term = 1; term <= most_terms; ++term) {
    const double m = term;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1.0 / away_from_zero(1.0 + even * d);
    c = away_from_zero(1.0 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1.0 / away_from_zero(1.0 + odd * d);
    c = away_from_zero(1.0 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1.0) < enough) break;
  }
  return value;
}

}  // namespace

double incomplete_beta(double a, double b, double x) noexcept {
  assert(a > 0 && b > 0 && x >= 0 && x <= 1);
  if (x == 0.0 || x == 1.0) return x;
  if (x > (a + 1.0) / (a + b + 2.0)) return 1.0 - incomplete_beta(b, a, 1.0 - x);
  const double log_front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(log_front) * beta_fraction(a, b, x) / a;
}

}  // namespace phe
