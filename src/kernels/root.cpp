#include "kernels/root.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/root.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/matrix-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

void multiply_transposed(const MatrixView& a, const double* x, double* y) {
  for (std::size_t j = 0; j < a.columns; ++j) y[j] = dot_product(a.column(j), x, a.stride);
}

void add_outer(const MatrixView& a, const double* u, const double* v) {
  update_outer(a, u, v, [](Real x, Real y) HWY_ATTR { return hn::Add(x, y); });
}

double shrink_root(const MatrixView& root, const double* r, double* image, double* gain) {
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

void multiply_transposed(const MatrixView& a, const double* x, double* y) noexcept {
  PHE_DISPATCH(multiply_transposed)(a, x, y);
}
void add_outer(const MatrixView& a, const double* u, const double* v) noexcept {
  PHE_DISPATCH(add_outer)(a, u, v);
}
double shrink_root(const MatrixView& root, const double* r, double* image, double* gain) noexcept {
  return PHE_DISPATCH(shrink_root)(root, r, image, gain);
}

namespace scalar {

void multiply_transposed(const MatrixView& a, const double* x, double* y) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j) y[j] = scalar::dot(a.column(j), x, a.stride);
}

void add_outer(const MatrixView& a, const double* u, const double* v) noexcept {
  for (std::size_t j = 0; j < a.columns; ++j)
    for (std::size_t i = 0; i < a.stride; ++i) a.column(j)[i] += v[j] * u[i];
}

double shrink_root(const MatrixView& root, const double* r, double* image, double* gain) noexcept {
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
