#include "kernels/matrix.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matrix.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

template <std::size_t registers>
HWY_INLINE void multiply_rows(MatrixView a, std::size_t i, const double* x, double* y) {
  Real sum[registers];
  for (Real& part : sum) part = hn::Zero(real_tag);
  for (std::size_t j = 0; j < a.columns; ++j) {
    const Real factor = hn::Set(real_tag, x[j]);
    for (std::size_t v = 0; v < registers; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(factor, hn::LoadU(real_tag, a.column(j) + i + v * width)));
  }
  for (std::size_t v = 0; v < registers; ++v) hn::StoreU(sum[v], real_tag, y + i + v * width);
}

void multiply(MatrixView a, const double* x, double* y) {
  std::size_t i = 0;
  for (; i + 3 * lanes <= a.stride; i += 3 * lanes) multiply_rows<3 * vectors>(a, i, x, y);
  for (; i < a.stride; i += lanes) multiply_rows<vectors>(a, i, x, y);
}

template <std::size_t registers, class Operation>
HWY_INLINE void update_rows(MatrixView a, std::size_t i, const double* v, Operation operation) {
  Real rows[registers];
  for (std::size_t r = 0; r < registers; ++r) rows[r] = hn::LoadU(real_tag, v + i + r * width);
  for (std::size_t j = 0; j < a.columns; ++j) {
    const Real factor = hn::Set(real_tag, v[j]);
    double* column = a.column(j) + i;
    for (std::size_t r = 0; r < registers; ++r) {
      const Real sum = operation(hn::LoadU(real_tag, column + r * width), hn::Mul(factor, rows[r]));
      hn::StoreU(sum, real_tag, column + r * width);
    }
  }
}

template <class Operation>
HWY_INLINE void update_outer(MatrixView a, const double* v, Operation operation) {
  std::size_t i = 0;
  for (; i + 3 * lanes <= a.stride; i += 3 * lanes) update_rows<3 * vectors>(a, i, v, operation);
  for (; i < a.stride; i += lanes) update_rows<vectors>(a, i, v, operation);
}

void add_outer(MatrixView a, const double* v) {
  update_outer(a, v, [](Real x, Real y) HWY_ATTR { return hn::Add(x, y); });
}

void subtract_outer(MatrixView a, const double* v) {
  update_outer(a, v, [](Real x, Real y) HWY_ATTR { return hn::Sub(x, y); });
}

double dot(const double* x, const double* y, std::size_t stride) {
  Real sum[vectors];
  for (Real& part : sum) part = hn::Zero(real_tag);
  for (std::size_t i = 0; i < stride; i += lanes)
    for (std::size_t v = 0; v < vectors; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(hn::LoadU(real_tag, x + i + v * width),
                                       hn::LoadU(real_tag, y + i + v * width)));
  return sum_lanes(sum);
}

void add_outers(MatrixView a, const double* vectors_in, std::size_t count) {
  for (std::size_t i = 0; i < a.stride; i += lanes)
    for (std::size_t j = 0; j < a.columns; ++j) {
      double* column = a.column(j) + i;
      Real sum[vectors];
      for (std::size_t r = 0; r < vectors; ++r) sum[r] = hn::LoadU(real_tag, column + r * width);
      for (const double* v = vectors_in; v != vectors_in + count * a.stride; v += a.stride) {
        const Real factor = hn::Set(real_tag, v[j]);
        for (std::size_t r = 0; r < vectors; ++r)
          sum[r] = hn::Add(sum[r], hn::Mul(factor, hn::LoadU(real_tag, v + i + r * width)));
      }
      for (std::size_t r = 0; r < vectors; ++r) hn::StoreU(sum[r], real_tag, column + r * width);
    }
}

double update_inverse(MatrixView inverse, const double* x, double* gain) {
  HWY_NAMESPACE::multiply(inverse, x, gain);
  const double denominator = 1.0 + HWY_NAMESPACE::dot(x, gain, inverse.stride);
  const Real factor = hn::Set(real_tag, 1.0 / std::sqrt(std::max(1.0, denominator)));
  for (std::size_t i = 0; i < inverse.stride; i += width)
    hn::StoreU(hn::Mul(factor, hn::LoadU(real_tag, gain + i)), real_tag, gain + i);
  HWY_NAMESPACE::subtract_outer(inverse, gain);
  return denominator;
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(multiply);
HWY_EXPORT(add_outer);
HWY_EXPORT(subtract_outer);
HWY_EXPORT(dot);
HWY_EXPORT(add_outers);
HWY_EXPORT(update_inverse);

void multiply(MatrixView a, const double* x, double* y) noexcept {
  PHE_DISPATCH(multiply)(a, x, y);
}
void add_outer(MatrixView a, const double* v) noexcept { PHE_DISPATCH(add_outer)(a, v); }
void subtract_outer(MatrixView a, const double* v) noexcept { PHE_DISPATCH(subtract_outer)(a, v); }
double dot(const double* x, const double* y, std::size_t stride) noexcept {
  return PHE_DISPATCH(dot)(x, y, stride);
}

void add_outers(MatrixView a, const double* vectors, std::size_t count) noexcept {
  PHE_DISPATCH(add_outers)(a, vectors, count);
}

double update_inverse(MatrixView inverse, const double* x, double* gain) noexcept {
  return PHE_DISPATCH(update_inverse)(inverse, x, gain);
}

namespace scalar {

void multiply(MatrixView a, const double* x, double* y) noexcept {
  for (std::size_t i = 0; i < a.stride; ++i) {
    y[i] = 0.0;
    for (std::size_t j = 0; j < a.columns; ++j) y[i] += x[j] * a.column(j)[i];
  }
}

void add_outer(MatrixView a, const double* v) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j)
    for (std::size_t i = 0; i < a.stride; ++i) a.column(j)[i] += v[j] * v[i];
}

void subtract_outer(MatrixView a, const double* v) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j)
    for (std::size_t i = 0; i < a.stride; ++i) a.column(j)[i] -= v[j] * v[i];
}

double dot(const double* x, const double* y, std::size_t stride) noexcept {
  double lane[8] = {};
  for (std::size_t i = 0; i < stride; ++i) lane[i % 8] += x[i] * y[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

void add_outers(MatrixView a, const double* vectors, std::size_t count) noexcept {
  for (std::size_t k = 0; k < count; ++k) scalar::add_outer(a, vectors + k * a.stride);
}

double update_inverse(MatrixView inverse, const double* x, double* gain) noexcept {
  scalar::multiply(inverse, x, gain);
  const double denominator = 1.0 + scalar::dot(x, gain, inverse.stride);
  const double scale = 1.0 / std::sqrt(std::max(1.0, denominator));
  for (std::size_t i = 0; i < inverse.stride; ++i) gain[i] *= scale;
  scalar::subtract_outer(inverse, gain);
  return denominator;
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
