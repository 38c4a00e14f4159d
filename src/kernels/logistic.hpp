// The logistic function over rows: sigma(s) = 1 / (1 + exp(-s)), its slope, and the sums a fit
// needs.
//
// All of them go through e = exp(-|s|) <= 1, so neither tail overflows nor cancels: the smaller of
// sigma and 1 - sigma keeps its relative precision for |s| up to 708. Spans have a multiple of 8
// entries.
#pragma once

#include <span>

#include "kernels/matrix.hpp"
#include "phe/arms.hpp"

namespace phe::kernels {

// means[k] = sigma(scores[k]), slopes[k] = sigma (1 - sigma).
void logistic(std::span<const double> scores, std::span<double> means,
              std::span<double> slopes) noexcept;

// result[k] = totals[k] * sigma(scores[k]).
void scaled_sigmoid(std::span<const double> scores, std::span<const double> totals,
                    std::span<double> result) noexcept;

// h += sum_k weights[k] x_k x_k^T, symmetric to the bit. Row k is added to lane k mod 8, and the
// lanes are then added in a fixed tree. `scratch` has x.padded_arms() entries.
void add_weighted_outer(const FeatureView& x, std::span<const double> weights,
                        std::span<double> scratch, const MatrixView& h) noexcept;

// max_k |a[k] - b[k]|, over at least 8 entries.
double largest_difference(std::span<const double> a, std::span<const double> b) noexcept;

// sum_k weights[k] (a[k] - b[k])^4 in 8 lanes and one tree, and max_k |a[k] - b[k]|.
struct Quartic {
  double sum;
  double largest;
};
Quartic weighted_quartic(std::span<const double> a, std::span<const double> b,
                         std::span<const double> weights) noexcept;

// How many scores[k] + slack * widths[k] reach `bar`.
std::size_t count_reaching(std::span<const double> scores, std::span<const double> widths,
                           double slack, double bar) noexcept;

namespace scalar {
double sigmoid(double score) noexcept;
void logistic(std::span<const double> scores, std::span<double> means,
              std::span<double> slopes) noexcept;
void scaled_sigmoid(std::span<const double> scores, std::span<const double> totals,
                    std::span<double> result) noexcept;
void add_weighted_outer(const FeatureView& x, std::span<const double> weights,
                        const MatrixView& h) noexcept;
double largest_difference(std::span<const double> a, std::span<const double> b) noexcept;
Quartic weighted_quartic(std::span<const double> a, std::span<const double> b,
                         std::span<const double> weights) noexcept;
std::size_t count_reaching(std::span<const double> scores, std::span<const double> widths,
                           double slack, double bar) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
