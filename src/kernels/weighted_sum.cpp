#include "kernels/weighted_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/weighted_sum.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// `features` rows at once: each load of the weights serves them all.
template <std::size_t features>
HWY_INLINE void sum_features(const FeatureView& x, std::size_t j, const double* weights,
                             double* sums) {
  Real sum[features][vectors];
  for (auto& row : sum)
    for (Real& part : row) part = hn::Zero(real_tag);
  const std::size_t count = x.padded_arms();
  for (std::size_t k = 0; k < count; k += lanes)
    for (std::size_t v = 0; v < vectors; ++v) {
      const Real weight = hn::LoadU(real_tag, weights + k + v * width);
      for (std::size_t f = 0; f < features; ++f) {
        const Real value = hn::Load(real_tag, x.feature(j + f) + k + v * width);
        sum[f][v] = hn::Add(sum[f][v], hn::Mul(value, weight));
      }
    }
  for (std::size_t f = 0; f < features; ++f) sums[j + f] += sum_lanes(sum[f]);
}

void add_weighted_sum(const FeatureView& x, const double* weights, double* sums) {
  std::size_t j = 0;
  for (; j + 4 <= x.dimension; j += 4) sum_features<4>(x, j, weights, sums);
  for (; j < x.dimension; ++j) sum_features<1>(x, j, weights, sums);
}

// `features` x 16 sums stay in registers while all rows pass.
template <std::size_t features>
HWY_INLINE void sum_sets(const double* rows, std::size_t count, std::size_t j,
                         const double* weights, const MatrixView& sums) {
  constexpr std::size_t registers = sets / width;
  Real sum[features][registers];
  for (auto& row : sum)
    for (Real& part : row) part = hn::Zero(real_tag);
  const double* row = rows + j;
  for (const double* end = weights + count * sets; weights != end; weights += sets) {
    for (std::size_t f = 0; f < features; ++f) {
      const Real value = hn::Set(real_tag, row[f]);
      for (std::size_t v = 0; v < registers; ++v)
        sum[f][v] = hn::Add(sum[f][v], hn::Mul(value, hn::LoadU(real_tag, weights + v * width)));
    }
    row += sums.stride;
  }
  alignas(64) double set[sets];
  for (std::size_t f = 0; f < features; ++f) {
    for (std::size_t v = 0; v < registers; ++v) hn::Store(sum[f][v], real_tag, set + v * width);
    for (std::size_t r = 0; r < sets; ++r) sums.column(r)[j + f] += set[r];
  }
}

void add_weighted_sums(const double* rows, std::size_t count, std::size_t dimension,
                       const double* weights, const MatrixView& sums) {
  std::size_t j = 0;
  for (; j + 2 <= dimension; j += 2) sum_sets<2>(rows, count, j, weights, sums);
  if (j < dimension) sum_sets<1>(rows, count, j, weights, sums);
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(add_weighted_sum);
HWY_EXPORT(add_weighted_sums);

void add_weighted_sum(const FeatureView& x, std::span<const double> weights,
                      std::span<double> sums) noexcept {
  PHE_DISPATCH(add_weighted_sum)(x, weights.data(), sums.data());
}

void add_weighted_sums(const double* rows, std::size_t count, std::size_t dimension,
                       std::span<const double> weights, const MatrixView& sums) noexcept {
  PHE_DISPATCH(add_weighted_sums)(rows, count, dimension, weights.data(), sums);
}

void scalar::add_weighted_sum(const FeatureView& x, std::span<const double> weights,
                              std::span<double> sums) noexcept {
  for (std::size_t j = 0; j < x.dimension; ++j) {
    double lane[8] = {};
    for (std::size_t k = 0; k < x.padded_arms(); ++k) lane[k % 8] += x.feature(j)[k] * weights[k];
    sums[j] +=
        ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
}

void scalar::add_weighted_sums(const double* rows, std::size_t count, std::size_t dimension,
                               std::span<const double> weights, const MatrixView& sums) noexcept {
  for (std::size_t r = 0; r < sets; ++r)
    for (std::size_t j = 0; j < dimension; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < count; ++k)
        sum += rows[k * sums.stride + j] * weights[k * sets + r];
      sums.column(r)[j] += sum;
    }
}

}  // namespace phe::kernels
#endif  // HWY_ONCE
