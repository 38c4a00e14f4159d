#include "report/student_t.hpp"

#include "support/incomplete_beta.hpp"

namespace phe {

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
