// Equation (9): sum_i x_i w_i over all arms, for the weights w_i = U_i.
#pragma once

#include <span>

#include "kernels/matrix.hpp"
#include "phe/arms.hpp"

namespace phe::kernels {

// sums[j] += sum_k x[j][k] * weights[k]. `weights` has x.padded_arms() entries. Arm k is added to
// lane k mod 8, and the lanes are then added in a fixed tree.
void add_weighted_sum(const FeatureView& x, std::span<const double> weights,
                      std::span<double> sums) noexcept;

// The same for 16 sets of weights at once, lanes being sets, and for `count` rows of features that
// stand one behind the other, as many entries apart as columns of `sums`: entry j < dimension of
// column r of `sums` grows by sum_k x[k][j] weights[k][r], added in the order of k. `weights` holds
// 16 entries a row.
inline constexpr std::size_t sets = 16;
void add_weighted_sums(const double* rows, std::size_t count, std::size_t dimension,
                       std::span<const double> weights, const MatrixView& sums) noexcept;

namespace scalar {
void add_weighted_sum(const FeatureView& x, std::span<const double> weights,
                      std::span<double> sums) noexcept;
void add_weighted_sums(const double* rows, std::size_t count, std::size_t dimension,
                       std::span<const double> weights, const MatrixView& sums) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
