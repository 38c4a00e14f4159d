#include "logs/intervals.hpp"

#include <cmath>

namespace phe::logs {

Interval normal_interval(double value, double standard_error, double confidence) noexcept {
  const double half = theory::normal_half_width(confidence) * standard_error;
  return {value - half, value + half};
}

Interval bernstein_interval(double mean, double variance, std::uint64_t n, const Bounds& bounds,
                            double confidence) noexcept {
  const double log_term = std::log(4.0 / (1.0 - confidence));
  const auto rows = static_cast<double>(n);
  const double half = std::sqrt(2.0 * variance * log_term / rows) +
                      7.0 * bounds.range() * log_term / (3.0 * (rows - 1.0));
  return {mean - half, mean + half};
}

}  // namespace phe::logs
