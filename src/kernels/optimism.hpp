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

// So small that no ceiling rises by it, and more than underflow can take from a sum of squares.
inline constexpr double near_zero = 1e-300;

// For the actions of a round: means[k] = x_k^T theta, as score_arms has it, and
//
//   ceilings[k] = means[k] + radius * sqrt(near_zero + sum_j bounds[j] x_kj^2),
//
// O(K d) where widths take O(K d^2). Both are -infinity for padding. Returns the best of
// the ceilings.
BestArms best_ceiling(const FeatureView& x, std::span<const double> theta,
                      std::span<const double> bounds, double radius, std::span<double> means,
                      std::span<double> ceilings) noexcept;

namespace scalar {
void follow_pull(std::span<const double> correlations, double step, double shrink,
                 std::span<double> means, std::span<double> squared_widths) noexcept;
BestArms best_optimistic(std::span<const double> means, std::span<const double> squared_widths,
                         double radius, std::span<double> scores) noexcept;
BestArms best_ceiling(const FeatureView& x, std::span<const double> theta,
                      std::span<const double> bounds, double radius, std::span<double> means,
                      std::span<double> ceilings) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
