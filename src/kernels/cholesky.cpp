#include "kernels/cholesky.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cholesky.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// y[i] -= factor * x[i] for i from `first`, rounded down to a register, to the end of a column.
// Where the entries above matter, `first` is a multiple of 8 lanes: to subtract -0 from -0 gives 0.
HWY_INLINE void subtract_multiple(const double* x, double factor, double* y, std::size_t first,
                                  std::size_t stride) {
  const Real weight = hn::Set(real_tag, factor);
  for (std::size_t i = first / width * width; i < stride; i += width)
    hn::StoreU(hn::Sub(hn::LoadU(real_tag, y + i), hn::Mul(weight, hn::LoadU(real_tag, x + i))),
               real_tag, y + i);
}

HWY_INLINE void scale(double* x, double factor, std::size_t first, std::size_t stride) {
  const Real weight = hn::Set(real_tag, factor);
  for (std::size_t i = first / width * width; i < stride; i += width)
    hn::StoreU(hn::Mul(weight, hn::LoadU(real_tag, x + i)), real_tag, x + i);
}

bool cholesky(const MatrixView& a) {
  constexpr double smallest_pivot = 1e-14;
  const std::size_t d = a.columns;
  for (std::size_t j = 0; j < d; ++j) {
    double* column = a.column(j);
    const double diagonal = column[j];
    // Left-looking: column j is finished from the columns before it, in their order. What it does
    // to the entries above the diagonal does not matter; they are cleared below.
    for (std::size_t k = 0; k < j; ++k)
      subtract_multiple(a.column(k), a.column(k)[j], column, j, a.stride);
    const double pivot = column[j];
    if (!(pivot > smallest_pivot * diagonal)) return false;
    for (std::size_t i = 0; i < j; ++i) column[i] = 0.0;
    scale(column, 1.0 / std::sqrt(pivot), j, a.stride);
  }
  return true;
}

void cholesky_invert(const MatrixView& l, const MatrixView& inverse) {
  const std::size_t d = l.columns;
  // Column j of W = L^-1 by forward substitution on e_j, kept in `inverse` for now.
  for (std::size_t j = 0; j < d; ++j) {
    double* w = inverse.column(j);
    for (std::size_t i = 0; i < l.stride; ++i) w[i] = 0.0;
    w[j] = 1.0;
    for (std::size_t k = j; k < d; ++k) {
      const double value = w[k] / l.column(k)[k];
      subtract_multiple(l.column(k), value, w, k / lanes * lanes, l.stride);
      w[k] = value;
    }
  }
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < l.stride; ++i) l.column(j)[i] = inverse.column(j)[i];
  // inverse = W^T W = sum over rows r of W of (row r)(row r)^T.
  for (std::size_t j = 0; j < d; ++j) {
    double* column = inverse.column(j);
    for (std::size_t i = 0; i < l.stride; ++i) column[i] = 0.0;
  }
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i <= j; ++i) {
      // Both columns of W are zero above row j.
      Real sum[vectors];
      for (Real& part : sum) part = hn::Zero(real_tag);
      for (std::size_t r = j / lanes * lanes; r < l.stride; r += lanes)
        for (std::size_t v = 0; v < vectors; ++v)
          sum[v] = hn::Add(sum[v], hn::Mul(hn::LoadU(real_tag, l.column(i) + r + v * width),
                                           hn::LoadU(real_tag, l.column(j) + r + v * width)));
      inverse.column(j)[i] = inverse.column(i)[j] = sum_lanes(sum);
    }
}

// x = L^-T x.
HWY_INLINE void back_substitute(const MatrixView& l, double* x) {
  for (std::size_t j = l.columns; j-- > 0;) {
    // The entries of x from j on are final but x_j; those of L's column above j are zero.
    const double* column = l.column(j);
    const double own = x[j];
    x[j] = 0.0;
    Real sum[vectors];
    for (Real& part : sum) part = hn::Zero(real_tag);
    for (std::size_t r = j / lanes * lanes; r < l.stride; r += lanes)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[v] = hn::Add(sum[v], hn::Mul(hn::LoadU(real_tag, column + r + v * width),
                                         hn::LoadU(real_tag, x + r + v * width)));
    x[j] = (own - sum_lanes(sum)) / column[j];
  }
}

void solve_transposed(const MatrixView& l, const double* b, double* x) {
  for (std::size_t i = 0; i < l.stride; ++i) x[i] = i < l.columns ? b[i] : 0.0;
  back_substitute(l, x);
}

void cholesky_solve(const MatrixView& l, const double* b, double* x) {
  const std::size_t d = l.columns;
  for (std::size_t i = 0; i < l.stride; ++i) x[i] = i < d ? b[i] : 0.0;
  for (std::size_t j = 0; j < d; ++j) {
    const double value = x[j] / l.column(j)[j];
    subtract_multiple(l.column(j), value, x, j / lanes * lanes, l.stride);
    x[j] = value;
  }
  back_substitute(l, x);
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(cholesky);
HWY_EXPORT(cholesky_invert);
HWY_EXPORT(cholesky_solve);
HWY_EXPORT(solve_transposed);

bool cholesky(const MatrixView& a) noexcept { return PHE_DISPATCH(cholesky)(a); }

bool cholesky_of_gram(const MatrixView& gram, const MatrixView& l) noexcept {
  constexpr double rounding = 1e-13;
  for (double extra = 0.0; extra < 1.0; extra = std::max(10.0 * extra, rounding)) {
    std::copy_n(gram.data, gram.columns * gram.stride, l.data);
    for (std::size_t j = 0; j < l.columns; ++j) l.column(j)[j] *= 1.0 + extra;
    if (cholesky(l)) return true;
  }
  return false;
}

void cholesky_invert(const MatrixView& l, const MatrixView& inverse) noexcept {
  PHE_DISPATCH(cholesky_invert)(l, inverse);
}
void cholesky_solve(const MatrixView& l, const double* b, double* x) noexcept {
  PHE_DISPATCH(cholesky_solve)(l, b, x);
}
void solve_transposed(const MatrixView& l, const double* b, double* x) noexcept {
  PHE_DISPATCH(solve_transposed)(l, b, x);
}

}  // namespace phe::kernels
#endif  // HWY_ONCE
