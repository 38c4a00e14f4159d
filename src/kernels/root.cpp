#include "kernels/root.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/root.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

HWY_INLINE double dot_product(const double* x, const double* y, std::size_t stride) {
  Real sum[vectors];
  for (Real& part : sum) part = hn::Zero(real_tag);
  for (std::size_t i = 0; i < stride; i += lanes)
    for (std::size_t v = 0; v < vectors; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(hn::LoadU(real_tag, x + i + v * width),
                                       hn::LoadU(real_tag, y + i + v * width)));
  return sum_lanes(sum);
}

void multiply_transposed(MatrixView a, const double* x, double* y) {
  for (std::size_t j = 0; j < a.columns; ++j) y[j] = dot_product(a.column(j), x, a.stride);
}

// y = A x, as in matrix.cpp.
HWY_INLINE void product(MatrixView a, const double* x, double* y) {
  for (std::size_t i = 0; i < a.stride; i += lanes) {
    Real sum[vectors];
    for (Real& part : sum) part = hn::Zero(real_tag);
    for (std::size_t j = 0; j < a.columns; ++j) {
      const Real factor = hn::Set(real_tag, x[j]);
      for (std::size_t v = 0; v < vectors; ++v)
        sum[v] = hn::Add(sum[v], hn::Mul(factor, hn::LoadU(real_tag, a.column(j) + i + v * width)));
    }
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[v], real_tag, y + i + v * width);
  }
}

void add_outer(MatrixView a, const double* u, const double* v) {
  for (std::size_t i = 0; i < a.stride; i += lanes) {
    Real rows[vectors];
    for (std::size_t r = 0; r < vectors; ++r) rows[r] = hn::LoadU(real_tag, u + i + r * width);
    for (std::size_t j = 0; j < a.columns; ++j) {
      const Real factor = hn::Set(real_tag, v[j]);
      double* column = a.column(j) + i;
      for (std::size_t r = 0; r < vectors; ++r)
        hn::StoreU(hn::Add(hn::LoadU(real_tag, column + r * width), hn::Mul(factor, rows[r])),
                   real_tag, column + r * width);
    }
  }
}

double shrink_root(MatrixView root, const double* r, double* image, double* gain) {
  HWY_NAMESPACE::multiply_transposed(root, r, image);
  product(root, image, gain);
  const double alpha = 1.0 + dot_product(image, image, root.stride);
  const double gamma = 1.0 / (alpha + std::sqrt(alpha));
  const Real factor = hn::Set(real_tag, -gamma);
  for (std::size_t i = 0; i < root.stride; i += width)
    hn::StoreU(hn::Mul(factor, hn::LoadU(real_tag, gain + i)), real_tag, gain + i);
  HWY_NAMESPACE::add_outer(root, gain, image);
  return gamma;
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(multiply_transposed);
HWY_EXPORT(add_outer);
HWY_EXPORT(shrink_root);

void multiply_transposed(MatrixView a, const double* x, double* y) noexcept {
  PHE_DISPATCH(multiply_transposed)(a, x, y);
}
void add_outer(MatrixView a, const double* u, const double* v) noexcept {
  PHE_DISPATCH(add_outer)(a, u, v);
}
double shrink_root(MatrixView root, const double* r, double* image, double* gain) noexcept {
  return PHE_DISPATCH(shrink_root)(root, r, image, gain);
}

namespace scalar {

void multiply_transposed(MatrixView a, const double* x, double* y) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j) y[j] = scalar::dot(a.column(j), x, a.stride);
}

void add_outer(MatrixView a, const double* u, const double* v) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j)
    for (std::size_t i = 0; i < a.stride; ++i) a.column(j)[i] += v[j] * u[i];
}

double shrink_root(MatrixView root, const double* r, double* image, double* gain) noexcept {
  scalar::multiply_transposed(root, r, image);
  scalar::multiply(root, image, gain);
  const double alpha = 1.0 + scalar::dot(image, image, root.stride);
  const double gamma = 1.0 / (alpha + std::sqrt(alpha));
  for (std::size_t i = 0; i < root.stride; ++i) gain[i] *= -gamma;
  scalar::add_outer(root, gain, image);
  return gamma;
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
