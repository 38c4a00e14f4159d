// Line 9 of Algorithm 1: the estimated reward of every arm, and the best of them.
#pragma once

#include <span>

#include "phe/arms.hpp"

namespace phe::kernels {

// scores[k] = sum_j theta[j] * x[j][k], summed over j in order; SIMD lanes are arms. `scores` has
// x.padded_arms() entries; those of padding arms become -infinity.
void score_arms(const FeatureView& x, std::span<const double> theta,
                std::span<double> scores) noexcept;

// As many arms as have their scores in the first-level cache.
inline constexpr std::size_t page_arms = 2048;

// The largest score, how many arms reach it, and the first of them. NaN never wins.
struct BestArms {
  double score;
  std::size_t count;
  ArmId first;
};
// `scores` has a multiple of 8 entries and at least one above -infinity.
BestArms best_arms(std::span<const double> scores) noexcept;
// The best arms by x^T theta, without the scores: what is left in `scores` means nothing.
BestArms best_scored(const FeatureView& x, std::span<const double> theta,
                     std::span<double> scores) noexcept;

namespace scalar {
void score_arms(const FeatureView& x, std::span<const double> theta,
                std::span<double> scores) noexcept;
BestArms best_arms(std::span<const double> scores) noexcept;
BestArms best_scored(const FeatureView& x, std::span<const double> theta,
                     std::span<double> scores) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
