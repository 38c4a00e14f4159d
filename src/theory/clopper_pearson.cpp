#include "theory/clopper_pearson.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace phe::theory {

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

// The p at which `excess`, increasing in p, changes sign. Halving 200 times reaches p = 1e-60.
template <class Function>
double root_on_unit(Function excess) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (excess(middle) < 0 ? low : high) = middle;
  }
  return high;
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

Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials,
                         double confidence) noexcept {
  assert(trials >= 1 && successes <= trials && confidence > 0 && confidence < 1);
  const auto k = static_cast<double>(successes);
  const auto m = static_cast<double>(trials);
  const double miss = 0.5 * (1.0 - confidence);  // on each side
  Interval interval{0.0, 1.0};
  // P(at least k successes) = I_p(k, m - k + 1) is `miss` at the lower end.
  if (successes > 0)
    interval.low = root_on_unit([&](double p) { return incomplete_beta(k, m - k + 1, p) - miss; });
  // P(at most k successes) = I_{1-p}(m - k, k + 1) is `miss` at the upper end.
  if (successes < trials)
    interval.high =
        root_on_unit([&](double p) { return miss - incomplete_beta(m - k, k + 1, 1.0 - p); });
  return interval;
}

double normal_half_width(double confidence) noexcept {
  assert(confidence > 0 && confidence < 1);
  // P(|Z| > z) = erfc(z / sqrt 2); z = 40 q covers all doubles.
  const double miss = 1.0 - confidence;
  return 40.0 * root_on_unit([&](double q) { return miss - std::erfc(40.0 * q / std::sqrt(2.0)); });
}

}  // namespace phe::theory
