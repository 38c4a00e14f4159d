// Exact confidence intervals for a probability that was measured by counting.
#pragma once

#include <cstdint>

namespace phe::theory {

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// The interval of Clopper and Pearson (1934): it covers the probability of success with at least
// `confidence`, whatever that probability is. Precondition: successes <= trials, trials >= 1,
// 0 < confidence < 1.
Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double confidence) noexcept;

// z such that a normal variable lies within z standard deviations with probability `confidence`.
double normal_half_width(double confidence) noexcept;

}  // namespace phe::theory
