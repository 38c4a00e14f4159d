// Line 9 of Algorithm 1 for actions that come row by row: the scores that score_arms.hpp gives for
// columns, to the bit, without making columns first.
#pragma once

#include <cstddef>
#include <span>

namespace phe::kernels {

// scores[k] = sum_j theta[j] * rows[k d + j], summed over j in order, for d = theta.size(); lanes
// are rows. `scores` has a multiple of 8 entries, fewer than 8 more than there are rows; those of
// no row become -infinity. Returns whether the score of every row is finite, which no score is that
// has seen a feature that is not.
bool score_rows(std::span<const double> rows, std::span<const double> theta,
                std::span<double> scores) noexcept;

// Whether no value is infinite or not a number.
bool all_finite(std::span<const double> values) noexcept;

namespace scalar {
bool score_rows(std::span<const double> rows, std::span<const double> theta,
                std::span<double> scores) noexcept;
bool all_finite(std::span<const double> values) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
