#include "kernels/logistic.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/logistic.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/exp-inl.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// large = 1 / (1 + e) and small = e / (1 + e): sigma and 1 - sigma, in the order of the score's
// sign.
template <std::size_t n>
HWY_INLINE void two_sides(const Real* score, Real* large, Real* small) {
  Real x[n];
  Real e[n];
  for (std::size_t v = 0; v < n; ++v) x[v] = hn::Neg(hn::Abs(score[v]));
  exp_lanes<n>(x, e);
  const Real one = hn::Set(real_tag, 1.0);
  for (std::size_t v = 0; v < n; ++v) {
    large[v] = hn::Div(one, hn::Add(one, e[v]));
    small[v] = hn::Mul(e[v], large[v]);
  }
}

template <std::size_t n>
HWY_INLINE void logistic_block(const double* scores, double* means, double* slopes) {
  Real score[n];
  Real large[n];
  Real small[n];
  for (std::size_t v = 0; v < n; ++v) score[v] = hn::LoadU(real_tag, scores + v * width);
  two_sides<n>(score, large, small);
  const Real zero = hn::Zero(real_tag);
  for (std::size_t v = 0; v < n; ++v) {
    const auto positive = hn::Ge(score[v], zero);
    hn::StoreU(hn::IfThenElse(positive, large[v], small[v]), real_tag, means + v * width);
    hn::StoreU(hn::Mul(large[v], small[v]), real_tag, slopes + v * width);
  }
}

void logistic(const double* scores, double* means, double* slopes, std::size_t count) {
  std::size_t k = 0;
  for (; k + 4 * width <= count; k += 4 * width)
    logistic_block<4>(scores + k, means + k, slopes + k);
  for (; k < count; k += lanes) logistic_block<vectors>(scores + k, means + k, slopes + k);
}

template <std::size_t n>
HWY_INLINE void scaled_block(const double* scores, const double* totals, double* result) {
  Real score[n];
  Real large[n];
  Real small[n];
  for (std::size_t v = 0; v < n; ++v) score[v] = hn::LoadU(real_tag, scores + v * width);
  two_sides<n>(score, large, small);
  const Real zero = hn::Zero(real_tag);
  for (std::size_t v = 0; v < n; ++v) {
    const Real mean = hn::IfThenElse(hn::Ge(score[v], zero), large[v], small[v]);
    hn::StoreU(hn::Mul(hn::LoadU(real_tag, totals + v * width), mean), real_tag,
               result + v * width);
  }
}

void scaled_sigmoid(const double* scores, const double* totals, double* result, std::size_t count) {
  std::size_t k = 0;
  for (; k + 4 * width <= count; k += 4 * width)
    scaled_block<4>(scores + k, totals + k, result + k);
  for (; k < count; k += lanes) scaled_block<vectors>(scores + k, totals + k, result + k);
}

// Entries (i .. i + n - 1, j) of the sum: one load of the weighted feature j serves n features.
template <std::size_t n>
HWY_INLINE void outer_block(const FeatureView& x, const double* weighted, std::size_t i,
                            std::size_t j, const MatrixView& h) {
  Real sum[n][vectors];
  for (auto& row : sum)
    for (Real& part : row) part = hn::Zero(real_tag);
  const std::size_t count = x.padded_arms();
  for (std::size_t k = 0; k < count; k += lanes)
    for (std::size_t v = 0; v < vectors; ++v) {
      const Real factor = hn::LoadU(real_tag, weighted + k + v * width);
      for (std::size_t f = 0; f < n; ++f) {
        const Real value = hn::Load(real_tag, x.feature(i + f) + k + v * width);
        sum[f][v] = hn::Add(sum[f][v], hn::Mul(value, factor));
      }
    }
  for (std::size_t f = 0; f < n; ++f) {
    const double total = sum_lanes(sum[f]);
    h.column(j)[i + f] += total;
    if (i + f != j) h.column(i + f)[j] = h.column(j)[i + f];
  }
}

void add_weighted_outer(const FeatureView& x, const double* weights, double* scratch,
                        const MatrixView& h) {
  const std::size_t count = x.padded_arms();
  for (std::size_t j = 0; j < x.dimension; ++j) {
    const double* feature = x.feature(j);
    for (std::size_t k = 0; k < count; k += width)
      hn::StoreU(hn::Mul(hn::LoadU(real_tag, weights + k), hn::Load(real_tag, feature + k)),
                 real_tag, scratch + k);
    std::size_t i = j;
    for (; i + 4 <= x.dimension; i += 4) outer_block<4>(x, scratch, i, j, h);
    for (; i < x.dimension; ++i) outer_block<1>(x, scratch, i, j, h);
  }
}

double largest_difference(const double* a, const double* b, std::size_t count) {
  Real largest = hn::Zero(real_tag);
  for (std::size_t k = 0; k < count; k += width)
    largest =
        hn::Max(largest, hn::Abs(hn::Sub(hn::LoadU(real_tag, a + k), hn::LoadU(real_tag, b + k))));
  return hn::GetLane(hn::MaxOfLanes(real_tag, largest));
}

Quartic weighted_quartic(const double* a, const double* b, const double* weights,
                         std::size_t count) {
  Real sum[vectors];
  for (Real& part : sum) part = hn::Zero(real_tag);
  Real largest = hn::Zero(real_tag);
  for (std::size_t k = 0; k < count; k += lanes)
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t i = k + v * width;
      const Real difference = hn::Sub(hn::LoadU(real_tag, a + i), hn::LoadU(real_tag, b + i));
      const Real square = hn::Mul(difference, difference);
      largest = hn::Max(largest, square);
      sum[v] = hn::Add(sum[v], hn::Mul(hn::LoadU(real_tag, weights + i), hn::Mul(square, square)));
    }
  return {sum_lanes(sum), std::sqrt(hn::GetLane(hn::MaxOfLanes(real_tag, largest)))};
}

std::size_t count_reaching(const double* scores, const double* widths, double slack, double bar,
                           std::size_t count) {
  const Real factor = hn::Set(real_tag, slack);
  const Real limit = hn::Set(real_tag, bar);
  std::size_t reaching = 0;
  for (std::size_t k = 0; k < count; k += width) {
    const Real reach =
        hn::Add(hn::LoadU(real_tag, scores + k), hn::Mul(factor, hn::LoadU(real_tag, widths + k)));
    reaching += hn::CountTrue(real_tag, hn::Ge(reach, limit));
  }
  return reaching;
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(logistic);
HWY_EXPORT(scaled_sigmoid);
HWY_EXPORT(add_weighted_outer);
HWY_EXPORT(largest_difference);
HWY_EXPORT(weighted_quartic);
HWY_EXPORT(count_reaching);

void logistic(std::span<const double> scores, std::span<double> means,
              std::span<double> slopes) noexcept {
  PHE_DISPATCH(logistic)(scores.data(), means.data(), slopes.data(), scores.size());
}

void scaled_sigmoid(std::span<const double> scores, std::span<const double> totals,
                    std::span<double> result) noexcept {
  PHE_DISPATCH(scaled_sigmoid)(scores.data(), totals.data(), result.data(), scores.size());
}

void add_weighted_outer(const FeatureView& x, std::span<const double> weights,
                        std::span<double> scratch, const MatrixView& h) noexcept {
  PHE_DISPATCH(add_weighted_outer)(x, weights.data(), scratch.data(), h);
}

double largest_difference(std::span<const double> a, std::span<const double> b) noexcept {
  return PHE_DISPATCH(largest_difference)(a.data(), b.data(), a.size());
}

Quartic weighted_quartic(std::span<const double> a, std::span<const double> b,
                         std::span<const double> weights) noexcept {
  return PHE_DISPATCH(weighted_quartic)(a.data(), b.data(), weights.data(), a.size());
}

std::size_t count_reaching(std::span<const double> scores, std::span<const double> widths,
                           double slack, double bar) noexcept {
  return PHE_DISPATCH(count_reaching)(scores.data(), widths.data(), slack, bar, scores.size());
}

namespace scalar {

namespace {

struct TwoSides {
  double large;
  double small;
};

TwoSides two_sides(double score) noexcept {
  const double e = exp(-std::abs(score));
  const double large = 1.0 / (1.0 + e);
  return {large, e * large};
}

}  // namespace

double sigmoid(double score) noexcept {
  const auto [large, small] = two_sides(score);
  return score >= 0 ? large : small;
}

void logistic(std::span<const double> scores, std::span<double> means,
              std::span<double> slopes) noexcept {
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const auto [large, small] = two_sides(scores[k]);
    means[k] = scores[k] >= 0 ? large : small;
    slopes[k] = large * small;
  }
}

void scaled_sigmoid(std::span<const double> scores, std::span<const double> totals,
                    std::span<double> result) noexcept {
  for (std::size_t k = 0; k < scores.size(); ++k) result[k] = totals[k] * sigmoid(scores[k]);
}

void add_weighted_outer(const FeatureView& x, std::span<const double> weights,
                        const MatrixView& h) noexcept {
  for (std::size_t j = 0; j < x.dimension; ++j)
    for (std::size_t i = j; i < x.dimension; ++i) {
      double lane[8] = {};
      for (std::size_t k = 0; k < x.padded_arms(); ++k)
        lane[k % 8] += x.feature(i)[k] * (weights[k] * x.feature(j)[k]);
      h.column(j)[i] +=
          ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
      h.column(i)[j] = h.column(j)[i];
    }
}

double largest_difference(std::span<const double> a, std::span<const double> b) noexcept {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

Quartic weighted_quartic(std::span<const double> a, std::span<const double> b,
                         std::span<const double> weights) noexcept {
  double lane[8] = {};
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double square = (a[k] - b[k]) * (a[k] - b[k]);
    largest = std::max(largest, square);
    lane[k % 8] += weights[k] * (square * square);
  }
  return {((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7])),
          std::sqrt(largest)};
}

std::size_t count_reaching(std::span<const double> scores, std::span<const double> widths,
                           double slack, double bar) noexcept {
  std::size_t count = 0;
  for (std::size_t k = 0; k < scores.size(); ++k)
    count += scores[k] + slack * widths[k] >= bar ? 1 : 0;
  return count;
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
