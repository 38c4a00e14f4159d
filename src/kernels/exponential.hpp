// The mean of a log link over rows, exp(s), and its slope.
//
// From a score of `steepest` on the mean goes along its tangent: exp(steepest) (1 + s - steepest),
// with the slope exp(steepest). No mean of rewards that anyone has seen is e^64 = 6e27, so no fit
// ends there; but a step of a fit may, and then the loss is still convex, its slope still changes
// by e^r at most while a score changes by r, and nothing overflows. Spans have a multiple of 8
// entries.
#pragma once

#include <span>

namespace phe::kernels {

inline constexpr double steepest = 64.0;

// means[k] and slopes[k] at scores[k].
void exponential(std::span<const double> scores, std::span<double> means,
                 std::span<double> slopes) noexcept;

// result[k] = totals[k] * mean at scores[k].
void scaled_exponential(std::span<const double> scores, std::span<const double> totals,
                        std::span<double> result) noexcept;

namespace scalar {
void exponential(std::span<const double> scores, std::span<double> means,
                 std::span<double> slopes) noexcept;
void scaled_exponential(std::span<const double> scores, std::span<const double> totals,
                        std::span<double> result) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
