#include "kernels/quadratic_forms.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quadratic_forms.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// (A x)_j x_j of 8 actions for `rows` values of j from `first` on, added to the partial sums of
// lanes j mod 8. A's entries are read once for all actions, and x_i once for all j.
template <std::size_t rows>
HWY_INLINE void add_rows(const FeatureView& x, const MatrixView& a, std::size_t first,
                         std::size_t k, Real (*partial)[vectors]) {
  Real product[rows][vectors];
  for (auto& row : product)
    for (Real& part : row) part = hn::Zero(real_tag);
  const double* feature = x.data + k;
  const double* column = a.data + first;
  std::size_t i = 0;
  do {  // a loop of no turns would keep the products in memory
    Real features[vectors];
    for (std::size_t v = 0; v < vectors; ++v) features[v] = hn::Load(real_tag, feature + v * width);
    for (std::size_t r = 0; r < rows; ++r) {
      const Real entry = hn::Set(real_tag, column[r]);
      for (std::size_t v = 0; v < vectors; ++v)
        product[r][v] = hn::Add(product[r][v], hn::Mul(entry, features[v]));
    }
    feature += x.stride;
    column += a.stride;
  } while (++i < x.dimension);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t v = 0; v < vectors; ++v) {
      Real& sum = partial[(first + r) % lanes][v];
      const Real own = hn::Load(real_tag, x.feature(first + r) + k + v * width);
      sum = hn::Add(sum, hn::Mul(own, product[r][v]));
    }
}

void quadratic_forms(const FeatureView& x, const MatrixView& a, double* result) {
  // As many as have their products in registers.
  constexpr std::size_t most = vectors == 1 ? 8 : vectors == 2 ? 4 : 2;
  for (std::size_t k = 0; k < x.padded_arms(); k += lanes) {
    Real p[lanes][vectors];
    for (auto& sums : p)
      for (Real& sum : sums) sum = hn::Zero(real_tag);
    std::size_t j = 0;
    for (; j + most <= x.dimension; j += most) add_rows<most>(x, a, j, k, p);
    for (; j + 4 <= x.dimension && most > 4; j += 4) add_rows<4>(x, a, j, k, p);
    for (; j + 2 <= x.dimension; j += 2) add_rows<2>(x, a, j, k, p);
    if (j < x.dimension) add_rows<1>(x, a, j, k, p);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Real even = hn::Add(hn::Add(p[0][v], p[4][v]), hn::Add(p[2][v], p[6][v]));
      const Real odd = hn::Add(hn::Add(p[1][v], p[5][v]), hn::Add(p[3][v], p[7][v]));
      hn::StoreU(hn::Add(even, odd), real_tag, result + k + v * width);
    }
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
