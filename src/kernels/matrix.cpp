#include "kernels/matrix.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matrix.cpp"
#include "hwy/foreach_target.h"

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

void multiply(MatrixView a, const double* x, double* y) {
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

template <class Operation>
HWY_INLINE void update_outer(MatrixView a, const double* v, Operation operation) {
  for (std::size_t j = 0; j < a.columns; ++j) {
    const Real factor = hn::Set(real_tag, v[j]);
    double* column = a.column(j);
    for (std::size_t i = 0; i < a.stride; i += width) {
      const Real product = hn::Mul(factor, hn::LoadU(real_tag, v + i));
      hn::StoreU(operation(hn::LoadU(real_tag, column + i), product), real_tag, column + i);
    }
  }
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

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(multiply);
HWY_EXPORT(add_outer);
HWY_EXPORT(subtract_outer);
HWY_EXPORT(dot);

void multiply(MatrixView a, const double* x, double* y) noexcept {
  HWY_DYNAMIC_DISPATCH(multiply)(a, x, y);
}
void add_outer(MatrixView a, const double* v) noexcept { HWY_DYNAMIC_DISPATCH(add_outer)(a, v); }
void subtract_outer(MatrixView a, const double* v) noexcept {
  HWY_DYNAMIC_DISPATCH(subtract_outer)(a, v);
}
double dot(const double* x, const double* y, std::size_t stride) noexcept {
  return HWY_DYNAMIC_DISPATCH(dot)(x, y, stride);
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

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
