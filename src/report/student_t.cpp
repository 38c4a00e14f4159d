#include "report/student_t.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>

namespace phe {

namespace {

// The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method.
// Converges within tens of terms for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) noexcept {
  constexpr double tiny = std::numeric_limits<double>::min();
  const auto away_from_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int m = 1; m <= 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 / away_from_zero(1.0 + term * d);
      c = away_from_zero(1.0 + term / c);
      step = c * d;
      fraction *= step;
    }
    if (std::abs(step - 1.0) < 1e-15) break;
  }
  return fraction;
}

// I_x(a, b), the regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) noexcept {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

}  // namespace

double student_t_cdf(double t, double freedom) noexcept {
  const double beyond =
      0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));  // P(T > |t|)
  return t > 0.0 ? 1.0 - beyond : beyond;
}

double student_t_quantile(double probability, double freedom) noexcept {
  if (probability < 0.5) return -student_t_quantile(1.0 - probability, freedom);
  double low = 0.0;
  double high = 1.0;
  while (student_t_cdf(high, freedom) < probability) high *= 2.0;
  while (high - low > 1e-12 * high) {
    const double middle = 0.5 * (low + high);
    (student_t_cdf(middle, freedom) < probability ? low : high) = middle;
  }
  return high;
}

}  // namespace phe
