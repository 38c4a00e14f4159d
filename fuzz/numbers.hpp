// Numbers for kernels, made from the bytes of an input: its first ones choose sizes and a few
// special values, subnormal or huge as they come; these are then scattered among ordinary ones.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "kernels/normal.hpp"
#include "phe/arms.hpp"
#include "phe/rng.hpp"

namespace phe::fuzz {

class Numbers {
 public:
  explicit Numbers(std::string_view input)
      : bytes_(reinterpret_cast<const std::uint8_t*>(input.data()), input.size()),
        rng_(bytes_.ConsumeIntegral<std::uint64_t>()),
        share_(bytes_.ConsumeIntegral<std::uint8_t>()) {
    for (double& value : special_) value = finite(bytes_.ConsumeIntegral<std::uint64_t>());
  }

  std::size_t size(std::size_t low, std::size_t high) {
    return bytes_.ConsumeIntegralInRange(low, high);
  }
  bool flag() { return bytes_.ConsumeBool(); }
  std::uint64_t word() { return bytes_.ConsumeIntegral<std::uint64_t>(); }

  // Any finite number, but none larger than `limit`.
  double real(double limit = std::numeric_limits<double>::max()) {
    const double value = rng_.below(256) < share_ ? special_[rng_.below(8)] : kernels::normal(rng_);
    return std::clamp(value, -limit, limit);
  }
  // At least 0.
  double size_of(double limit = std::numeric_limits<double>::max()) {
    return std::abs(real(limit));
  }
  // Below 2^bits, small ones as often as large ones.
  std::uint64_t count(unsigned bits) { return rng_() >> (64 - rng_.below(bits) - 1); }

  std::vector<double> reals(std::size_t size, double limit = std::numeric_limits<double>::max()) {
    std::vector<double> values(size);
    for (double& value : values) value = real(limit);
    return values;
  }
  Arms arms(std::size_t count, std::size_t dimension,
            double limit = std::numeric_limits<double>::max()) {
    return Arms::generate(count, dimension, [&](std::size_t, std::size_t) { return real(limit); })
        .value();
  }
  Arms arms() { return arms(size(1, 40), size(1, 24)); }

 private:
  // The bits as a double; infinities and NaNs lose an exponent bit.
  static double finite(std::uint64_t bits) {
    constexpr std::uint64_t exponent = 0x7ffULL << 52;
    const bool special = (bits & exponent) == exponent;
    return std::bit_cast<double>(special ? bits ^ (1ULL << 52) : bits);
  }

  FuzzedDataProvider bytes_;
  Rng rng_;
  std::uint64_t share_;  // of special values, in 256
  std::array<double, 8> special_{};
};

}  // namespace phe::fuzz
