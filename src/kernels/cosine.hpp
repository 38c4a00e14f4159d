// The cosine of an angle in turns, from + and * alone, so that its bits do not depend on the local
// libm. In turns the angle is reduced without error; the result is within 2^-51 of cos(2 pi t)
// (tested against long double).
#pragma once

#include <cmath>
#include <cstddef>
#include <iterator>

#include "kernels/elementary.hpp"

namespace phe::kernels {

// (-1)^k / (2k + 1)! for k = 11 .. 0: sin(y) = y * polynomial(y^2) for |y| <= pi / 2.
inline constexpr double sine_coefficients[] = {-1.0 / 25852016738884976640000.0,
                                               1.0 / 51090942171709440000.0,
                                               -1.0 / 121645100408832000.0,
                                               1.0 / 355687428096000.0,
                                               -1.0 / 1307674368000.0,
                                               1.0 / 6227020800.0,
                                               -1.0 / 39916800.0,
                                               1.0 / 362880.0,
                                               -1.0 / 5040.0,
                                               1.0 / 120.0,
                                               -1.0 / 6.0,
                                               1.0};

// From 2^51 turns on, where doubles are multiples of a half or a whole turn, the result is 1.
inline double cos_turns(double turns) noexcept {
  constexpr double largest = 0x1p51;
  constexpr double two_pi = 0x1.921fb54442d18p+2;
  const double kept = std::abs(turns) < largest ? turns : 0.0;
  const double rest = kept - ((kept + round_shift) - round_shift);  // in [-1/2, 1/2], exactly
  const double y = two_pi * (0.25 - std::abs(rest));  // cos(2 pi r) = sin(2 pi (1/4 - |r|))
  const double square = y * y;
  double p = sine_coefficients[0];
  for (std::size_t i = 1; i < std::size(sine_coefficients); ++i)
    p = p * square + sine_coefficients[i];
  return y * p;
}

}  // namespace phe::kernels
