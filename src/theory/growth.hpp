// How regret grows: the exponent b of regret ~ x^b, for x the horizon n or the dimension d.
#pragma once

#include <span>
#include <vector>

namespace phe::theory {

struct Slope {
  double exponent = 0;
  double standard_error = 0;  // over instances; 0 for a single one
};

// Least squares of log(mean regret) on log x. regret[i][j] is the regret of instance j at x[i];
// instances may be shared by all x, so the error is the jackknife over instances. Precondition: at
// least two different x > 0, all rows of `regret` of one length >= 1, positive means.
Slope fit_slope(std::span<const double> x, const std::vector<std::vector<double>>& regret);

// The exponent between each x and the next: shows where growth is not a power.
std::vector<double> local_slopes(std::span<const double> x,
                                 const std::vector<std::vector<double>>& regret);

}  // namespace phe::theory
