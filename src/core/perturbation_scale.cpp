#include "core/perturbation_scale.hpp"

#include <cassert>
#include <charconv>
#include <numeric>

#include "support/error.hpp"
#include "support/int128.hpp"

namespace phe {

Result<PerturbationScale> PerturbationScale::from(double a) {
  if (!(a >= 1e-6 && a <= 1e6))
    return invalid("perturbation scale a must be between 1e-06 and 1e+06, got {}", a);
  // The shortest decimal that reads back as a: digits times a power of ten.
  char buffer[32];
  const auto [end, failure] =
      std::to_chars(buffer, buffer + sizeof buffer, a, std::chars_format::scientific);
  assert(failure == std::errc{});
  static_cast<void>(failure);
  std::uint64_t numerator = 0;
  int exponent = 0;
  const char* c = buffer;
  for (bool after_point = false; *c != 'e'; ++c) {
    if (*c == '.') {
      after_point = true;
      continue;
    }
    numerator = numerator * 10 + static_cast<std::uint64_t>(*c - '0');
    exponent -= after_point ? 1 : 0;
  }
  c += c[1] == '+' ? 2 : 1;  // from_chars takes no plus sign
  int power = 0;
  std::from_chars(c, end, power);
  exponent += power;
  if (exponent < -18)
    return invalid("perturbation scale a must have at most 18 decimal places, got {}", a);
  std::uint64_t denominator = 1;
  for (; exponent > 0; --exponent) numerator *= 10;
  for (; exponent < 0; ++exponent) denominator *= 10;
  const std::uint64_t divisor = std::gcd(numerator, denominator);
  return PerturbationScale(numerator / divisor, denominator / divisor);
}

std::uint64_t PerturbationScale::rounded_up(std::uint64_t pulls) const noexcept {
  return static_cast<std::uint64_t>((uint128{numerator_} * pulls + denominator_ - 1) /
                                    denominator_);
}

}  // namespace phe
