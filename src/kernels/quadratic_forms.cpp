#include "kernels/quadratic_forms.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quadratic_forms.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// (A x)_j x_j for `rows` values of j from `first` on, added to the partial sums of lanes j mod 8.
// x_i is read once for them all.
template <std::size_t rows>
HWY_INLINE void add_rows(const FeatureView& x, const MatrixView& a, std::size_t first,
                         std::size_t k, Real* partial) {
  Real product[rows];
  for (std::size_t r = 0; r < rows; ++r) product[r] = hn::Zero(real_tag);
  for (std::size_t i = 0; i < x.dimension; ++i) {
    const Real feature = hn::Load(real_tag, x.feature(i) + k);
    const double* column = a.column(i) + first;
    for (std::size_t r = 0; r < rows; ++r)
      product[r] = hn::Add(product[r], hn::Mul(hn::Set(real_tag, column[r]), feature));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    Real& sum = partial[(first + r) % lanes];
    sum = hn::Add(sum, hn::Mul(hn::Load(real_tag, x.feature(first + r) + k), product[r]));
  }
}

void quadratic_forms(const FeatureView& x, const MatrixView& a, double* result) {
  for (std::size_t k = 0; k < x.padded_arms(); k += width) {
    Real p[lanes];
    for (auto& sum : p) sum = hn::Zero(real_tag);
    std::size_t j = 0;
    for (; j + 4 <= x.dimension; j += 4) add_rows<4>(x, a, j, k, p);
    for (; j < x.dimension; ++j) add_rows<1>(x, a, j, k, p);
    const Real even = hn::Add(hn::Add(p[0], p[4]), hn::Add(p[2], p[6]));
    const Real odd = hn::Add(hn::Add(p[1], p[5]), hn::Add(p[3], p[7]));
    hn::StoreU(hn::Add(even, odd), real_tag, result + k);
  }
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(quadratic_forms);

void quadratic_forms(const FeatureView& x, const MatrixView& a, std::span<double> result) noexcept {
  PHE_DISPATCH(quadratic_forms)(x, a, result.data());
}

void scalar::quadratic_forms(const FeatureView& x, const MatrixView& a,
                             std::span<double> result) noexcept {
  for (std::size_t k = 0; k < x.padded_arms(); ++k) {
    double lane[8] = {};
    for (std::size_t j = 0; j < x.dimension; ++j) {
      double product = 0.0;
      for (std::size_t i = 0; i < x.dimension; ++i) product += a.column(i)[j] * x.feature(i)[k];
      lane[j % 8] += x.feature(j)[k] * product;
    }
    result[k] =
        ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
}

}  // namespace phe::kernels
#endif  // HWY_ONCE
