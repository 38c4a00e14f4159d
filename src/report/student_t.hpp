// Student's t distribution, as far as tests of means need it.
#pragma once

namespace phe {

// P(T <= t) with `freedom` > 0 degrees of freedom; t may be infinite.
double student_t_cdf(double t, double freedom) noexcept;
// The t with student_t_cdf(t) = probability, 0 < probability < 1.
double student_t_quantile(double probability, double freedom) noexcept;

}  // namespace phe
