// exp and log from +, -, *, / alone, so that their bits do not depend on the local libm.
// Relative error below 2^-51 (tested against long double). The SIMD kernels use the same constants
// in the same order.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

namespace phe::kernels {

// ln 2 in two parts: the first has 32 trailing zero bits, so k * ln2_high is exact for |k| < 2^11.
inline constexpr double ln2_high = 0x1.62e42fee00000p-1;
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;
inline constexpr double log2_e = 0x1.71547652b82fep+0;

// Adding and subtracting this rounds |x| < 2^51 to the nearest integer.
inline constexpr double round_shift = 0x1.8p52;

// Below this exp() returns 0 (smaller results would be subnormal), above it infinity.
inline constexpr double exp_lowest = -708.0;
inline constexpr double exp_highest = 709.0;

// 1/k! for k = 13 .. 2: exp(r) = 1 + r + r^2 * polynomial for |r| <= ln2 / 2.
inline constexpr double exp_coefficients[] = {
    1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
    1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
    1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        1.0 / 2.0};

inline double exp(double x) noexcept {
  if (!(x >= exp_lowest)) return std::isnan(x) ? x : 0.0;
  if (x > exp_highest) return std::numeric_limits<double>::infinity();
  const double k = (x * log2_e + round_shift) - round_shift;
  const double r = (x - k * ln2_high) - k * ln2_low;
  double p = exp_coefficients[0];
  for (std::size_t i = 1; i < std::size(exp_coefficients); ++i) p = p * r + exp_coefficients[i];
  const double mantissa = 1.0 + (r + (r * r) * p);
  const auto exponent = static_cast<std::int64_t>(k);
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(mantissa) + (exponent << 52));
}

// Precondition: x > 0, finite and normal.
inline double log(double x) noexcept {
  // x = 2^k * m with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m - 1) / (m + 1).
  const auto bits =
      std::bit_cast<std::int64_t>(x) - std::bit_cast<std::int64_t>(0x1.6a09e667f3bcdp-1);
  const std::int64_t k = bits >> 52;
  const double m = std::bit_cast<double>(std::bit_cast<std::int64_t>(x) - (k << 52));
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double p = 0.0;
  for (int i = 21; i >= 3; i -= 2) p = (p + 1.0 / i) * z;
  const double e = static_cast<double>(k);
  // log(1 + f) = f - s (f - 2 p'), kept in this form so that f itself is not rounded away.
  return e * ln2_high + (f - (s * (f - 2.0 * p) - e * ln2_low));
}

}  // namespace phe::kernels
