// What LinUCB does for all arms at once: follow a pull, and add the confidence widths.
#pragma once

#include <span>

#include "kernels/score_arms.hpp"

namespace phe::kernels {

// All spans have the same length, a multiple of 8.

// After a pull whose gain is g, with correlations[k] = x_k^T g:
//   means[k] += step * correlations[k],
//   squared_widths[k] = max(0, squared_widths[k] - shrink * correlations[k]^2).
void follow_pull(std::span<const double> correlations, double step, double shrink,
                 std::span<double> means, std::span<double> squared_widths) noexcept;

// scores[k] = means[k] + radius * sqrt(squared_widths[k]), and the best of them. Roots take most of
// the time; comparing meanwhile is for free.
BestArms best_optimistic(std::span<const double> means, std::span<const double> squared_widths,
                         double radius, std::span<double> scores) noexcept;

namespace scalar {
void follow_pull(std::span<const double> correlations, double step, double shrink,
                 std::span<double> means, std::span<double> squared_widths) noexcept;
BestArms best_optimistic(std::span<const double> means, std::span<const double> squared_widths,
                         double radius, std::span<double> scores) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
