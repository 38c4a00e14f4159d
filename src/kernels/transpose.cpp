#include "kernels/transpose.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/transpose.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/row_groups-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// x * 0 is 0 unless x is infinite or not a number, and then the sum of all is not a number.
HWY_INLINE double copy_rows(const double* rows, std::size_t first, std::size_t count,
                            std::size_t dimension, double* columns, std::size_t stride) {
  double check = 0.0;
  for (std::size_t k = first; k < count; ++k)
    for (std::size_t j = 0; j < dimension; ++j) {
      columns[j * stride + k] = rows[k * dimension + j];
      check += rows[k * dimension + j] * 0.0;
    }
  return check;
}

// The last 8 rows of each column, before those that are rows are written.
HWY_INLINE void clear_padding(std::size_t count, std::size_t dimension, double* columns,
                              std::size_t stride) {
  if (count % lanes == 0) return;
  double* last = columns + count / lanes * lanes;
  for (std::size_t j = 0; j < dimension; ++j, last += stride)
    for (std::size_t v = 0; v < vectors; ++v)
      hn::StoreU(hn::Zero(real_tag), real_tag, last + v * width);
}

#if HWY_TARGET == HWY_SCALAR

bool transpose_rows(const double* rows, std::size_t count, std::size_t dimension, double* columns,
                    std::size_t stride) {
  clear_padding(count, dimension, columns, stride);
  return copy_rows(rows, 0, count, dimension, columns, stride) == 0.0;
}

#else

// Two features of `groups` groups of rows. The checks are sums of their own, so that none waits for
// another.
template <std::size_t groups>
HWY_INLINE void transpose_two(const double* rows, std::size_t dimension, double* columns,
                              std::size_t stride, Group* check) {
  for (std::size_t g = 0; g < groups; ++g) {
    const TwoFeatures two(rows + g * group_rows * dimension, dimension);
    check[2 * g] = hn::MulAdd(two.even, hn::Zero(group_tag), check[2 * g]);
    check[2 * g + 1] = hn::MulAdd(two.odd, hn::Zero(group_tag), check[2 * g + 1]);
    hn::StoreU(two.first(), group_tag, columns + g * group_rows);
    hn::StoreU(two.second(), group_tag, columns + stride + g * group_rows);
  }
}

template <std::size_t groups>
HWY_INLINE void transpose_groups(const double* rows, std::size_t dimension, double* columns,
                                 std::size_t stride, Group* check) {
  std::size_t j = 0;
  for (; j + 2 <= dimension; j += 2)
    transpose_two<groups>(rows + j, dimension, columns + j * stride, stride, check);
  // The last of an odd number goes with the one before, which is written again.
  if (j < dimension)
    transpose_two<groups>(rows + j - 1, dimension, columns + (j - 1) * stride, stride, check);
}

bool transpose_rows(const double* rows, std::size_t count, std::size_t dimension, double* columns,
                    std::size_t stride) {
  clear_padding(count, dimension, columns, stride);
  if (dimension == 1) return copy_rows(rows, 0, count, 1, columns, stride) == 0.0;
  constexpr std::size_t groups = lanes / group_rows;
  Group check[2 * groups];
  for (Group& sum : check) sum = hn::Zero(group_tag);
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    transpose_groups<groups>(rows + k * dimension, dimension, columns + k, stride, check);
  for (; k + group_rows <= count; k += group_rows)
    transpose_groups<1>(rows + k * dimension, dimension, columns + k, stride, check);
  Group sum = hn::Set(group_tag, copy_rows(rows, k, count, dimension, columns, stride));
  for (const Group part : check) sum = hn::Add(sum, part);
  return hn::AllTrue(group_tag, hn::Eq(sum, hn::Zero(group_tag)));
}

#endif

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(transpose_rows);

bool transpose_rows(const double* rows, std::size_t count, std::size_t dimension, double* columns,
                    std::size_t stride) noexcept {
  return PHE_DISPATCH(transpose_rows)(rows, count, dimension, columns, stride);
}

bool scalar::transpose_rows(const double* rows, std::size_t count, std::size_t dimension,
                            double* columns, std::size_t stride) noexcept {
  bool finite = true;
  for (std::size_t j = 0; j < dimension; ++j)
    for (std::size_t k = 0; k < (count + 7) / 8 * 8; ++k) {
      columns[j * stride + k] = k < count ? rows[k * dimension + j] : 0.0;
      finite = finite && std::isfinite(columns[j * stride + k]);
    }
  return finite;
}

}  // namespace phe::kernels
#endif  // HWY_ONCE
