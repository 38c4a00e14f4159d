#include "kernels/matrix.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matrix.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/matrix-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

void multiply(const MatrixView& a, const double* x, double* y) { product(a, x, y); }

void multiply_sum(const MatrixView& a, const double* x, const double* z, double* y) {
  product_with(
      a, [x, z](std::size_t j) HWY_ATTR { return x[j] + z[j]; }, y);
}

void multiply_absolute(const MatrixView& a, const double* x, double* y) {
  product_with(
      a, [x](std::size_t j) HWY_ATTR { return x[j]; }, y, Absolute());
}

void add_outer(const MatrixView& a, const double* v) {
  update_outer(a, v, v, [](Real x, Real y) HWY_ATTR { return hn::Add(x, y); });
}

void subtract_outer(const MatrixView& a, const double* v) {
  update_outer(a, v, v, [](Real x, Real y) HWY_ATTR { return hn::Sub(x, y); });
}

double dot(const double* x, const double* y, std::size_t stride) {
  return dot_product(x, y, stride);
}

// `columns` of them and 8 rows stay in registers while all vectors pass.
template <std::size_t columns>
HWY_INLINE void add_outers_to(const MatrixView& a, std::size_t i, std::size_t j, const double* v,
                              const double* end) {
  Real sum[columns][vectors];
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < vectors; ++r)
      sum[c][r] = hn::LoadU(real_tag, a.column(j + c) + i + r * width);
  for (; v != end; v += a.stride) {
    Real rows[vectors];
    for (std::size_t r = 0; r < vectors; ++r) rows[r] = hn::LoadU(real_tag, v + i + r * width);
    for (std::size_t c = 0; c < columns; ++c) {
      const Real factor = hn::Set(real_tag, v[j + c]);
      for (std::size_t r = 0; r < vectors; ++r)
        sum[c][r] = hn::Add(sum[c][r], hn::Mul(factor, rows[r]));
    }
  }
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < vectors; ++r)
      hn::StoreU(sum[c][r], real_tag, a.column(j + c) + i + r * width);
}

void add_outers(const MatrixView& a, const double* vectors_in, std::size_t count) {
  const double* end = vectors_in + count * a.stride;
  for (std::size_t i = 0; i < a.stride; i += lanes) {
    // Columns up to the block's last row: the lower triangle, and a little more.
    const std::size_t last = std::min(a.columns, i + lanes);
    std::size_t j = 0;
    for (; j + 4 <= last; j += 4) add_outers_to<4>(a, i, j, vectors_in, end);
    for (; j < last; ++j) add_outers_to<1>(a, i, j, vectors_in, end);
  }
}

double update_inverse(const MatrixView& inverse, const double* x, double weight, double* gain) {
  product(inverse, x, gain);
  const double denominator = 1.0 + weight * dot_product(x, gain, inverse.stride);
  const Real factor = hn::Set(real_tag, weight / std::max(1.0, denominator));
  update_outer(inverse, gain, gain, [factor](Real entry, Real product) HWY_ATTR {
    return hn::Sub(entry, hn::Mul(product, factor));
  });
  return denominator;
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(multiply);
HWY_EXPORT(multiply_sum);
HWY_EXPORT(multiply_absolute);
HWY_EXPORT(add_outer);
HWY_EXPORT(subtract_outer);
HWY_EXPORT(dot);
HWY_EXPORT(add_outers);
HWY_EXPORT(update_inverse);

void multiply(const MatrixView& a, const double* x, double* y) noexcept {
  PHE_DISPATCH(multiply)(a, x, y);
}
void multiply_sum(const MatrixView& a, const double* x, const double* z, double* y) noexcept {
  PHE_DISPATCH(multiply_sum)(a, x, z, y);
}
void multiply_absolute(const MatrixView& a, const double* x, double* y) noexcept {
  PHE_DISPATCH(multiply_absolute)(a, x, y);
}
void add_outer(const MatrixView& a, const double* v) noexcept { PHE_DISPATCH(add_outer)(a, v); }
void subtract_outer(const MatrixView& a, const double* v) noexcept {
  PHE_DISPATCH(subtract_outer)(a, v);
}
double dot(const double* x, const double* y, std::size_t stride) noexcept {
  return PHE_DISPATCH(dot)(x, y, stride);
}

void add_outers(const MatrixView& a, const double* vectors, std::size_t count) noexcept {
  PHE_DISPATCH(add_outers)(a, vectors, count);
}

double update_inverse(const MatrixView& inverse, const double* x, double weight,
                      double* gain) noexcept {
  return PHE_DISPATCH(update_inverse)(inverse, x, weight, gain);
}

namespace scalar {

void multiply(const MatrixView& a, const double* x, double* y) noexcept {
  for (std::size_t i = 0; i < a.stride; ++i) {
    y[i] = 0.0;
    for (std::size_t j = 0; j < a.columns; ++j) y[i] += x[j] * a.column(j)[i];
  }
}

void multiply_sum(const MatrixView& a, const double* x, const double* z, double* y) noexcept {
  for (std::size_t i = 0; i < a.stride; ++i) {
    y[i] = 0.0;
    for (std::size_t j = 0; j < a.columns; ++j) y[i] += (x[j] + z[j]) * a.column(j)[i];
  }
}

void multiply_absolute(const MatrixView& a, const double* x, double* y) noexcept {
  for (std::size_t i = 0; i < a.stride; ++i) {
    y[i] = 0.0;
    for (std::size_t j = 0; j < a.columns; ++j) y[i] += x[j] * std::abs(a.column(j)[i]);
  }
}

void add_outer(const MatrixView& a, const double* v) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j)
    for (std::size_t i = 0; i < a.stride; ++i) a.column(j)[i] += v[j] * v[i];
}

void subtract_outer(const MatrixView& a, const double* v) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j)
    for (std::size_t i = 0; i < a.stride; ++i) a.column(j)[i] -= v[j] * v[i];
}

double dot(const double* x, const double* y, std::size_t stride) noexcept {
  double lane[8] = {};
  for (std::size_t i = 0; i < stride; ++i) lane[i % 8] += x[i] * y[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

void add_outers(const MatrixView& a, const double* vectors, std::size_t count) noexcept {
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < a.columns; ++j)
      for (std::size_t i = j / 8 * 8; i < a.stride; ++i) {
        const double* v = vectors + k * a.stride;
        a.column(j)[i] += v[j] * v[i];
      }
}

double update_inverse(const MatrixView& inverse, const double* x, double weight,
                      double* gain) noexcept {
  scalar::multiply(inverse, x, gain);
  const double denominator = 1.0 + weight * scalar::dot(x, gain, inverse.stride);
  const double factor = weight / std::max(1.0, denominator);
  for (std::size_t j = 0; j < inverse.columns; ++j)
    for (std::size_t i = 0; i < inverse.stride; ++i)
      inverse.column(j)[i] -= gain[j] * gain[i] * factor;
  return denominator;
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
