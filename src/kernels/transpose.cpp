#include "kernels/transpose.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/transpose.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "kernels/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// x * 0 is 0 unless x is infinite or not a number, and then the sum of all is not a number.
HWY_INLINE double copy_rows(const double* rows, std::size_t first, std::size_t count,
                            std::size_t dimension, double* columns, std::size_t stride) {
  double check = 0.0;
  for (std::size_t k = first; k < (count + 7) / 8 * 8; ++k)
    for (std::size_t j = 0; j < dimension; ++j) {
      const double value = k < count ? rows[k * dimension + j] : 0.0;
      columns[j * stride + k] = value;
      check += value * 0.0;
    }
  return check;
}

#if HWY_TARGET == HWY_SCALAR

bool transpose_rows(const double* rows, std::size_t count, std::size_t dimension, double* columns,
                    std::size_t stride) {
  return copy_rows(rows, 0, count, dimension, columns, stride) == 0.0;
}

#else

// Two rows by two features at a time: as many shuffles as loads, on registers that every target
// has.
bool transpose_rows(const double* rows, std::size_t count, std::size_t dimension, double* columns,
                    std::size_t stride) {
  const hn::FixedTag<double, 2> pair;
  const auto zero = hn::Zero(pair);
  auto check = hn::Zero(pair);
  double check_single = 0.0;
  std::size_t k = 0;
  for (; k + 2 <= count; k += 2) {
    const double* first = rows + k * dimension;
    const double* second = first + dimension;
    double* to = columns + k;
    std::size_t j = 0;
    for (; j + 2 <= dimension; j += 2, to += 2 * stride) {
      const auto a = hn::LoadU(pair, first + j);
      const auto b = hn::LoadU(pair, second + j);
      check = hn::Add(check, hn::Add(hn::Mul(a, zero), hn::Mul(b, zero)));
      hn::StoreU(hn::InterleaveLower(pair, a, b), pair, to);
      hn::StoreU(hn::InterleaveUpper(pair, a, b), pair, to + stride);
    }
    if (j < dimension) {
      to[0] = first[j];
      to[1] = second[j];
      check_single += first[j] * 0.0 + second[j] * 0.0;
    }
  }
  check_single += copy_rows(rows, k, count, dimension, columns, stride);
  return hn::AllTrue(pair, hn::Eq(check, zero)) && check_single == 0.0;
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
