// The regularised incomplete beta function, from which binomial and Student's tails come.
#pragma once

namespace phe {

// I_x(a, b), to about 1e-14. Precondition: a, b > 0 and x in [0, 1].
double incomplete_beta(double a, double b, double x) noexcept;

}  // namespace phe
