// C(n, j) as an exact integer, and the bits of C(n, j) 2^32 / 2^n on both sides of the point.
#pragma once

#include <cstdint>
#include <vector>

namespace phe::test {

class ExactBinomial {
 public:
  // j = 0. Precondition: n is a multiple of 64.
  explicit ExactBinomial(std::uint64_t n) : n_(n), limbs_(n / 32 + 2) { limbs_[0] = 1; }

  [[nodiscard]] std::uint64_t outcome() const { return j_; }

  // C(n, j + 1) = C(n, j) (n - j) / (j + 1), without remainder.
  void next() {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * (n_ - j_);
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    ++j_;
    std::uint64_t remainder = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      remainder = remainder << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(remainder / j_);
      remainder %= j_;
    }
  }

  // floor(P(X = j) 2^32) for X ~ B(n, 1/2).
  [[nodiscard]] std::uint64_t weight() const { return limbs_[n_ / 32 - 1]; }
  // What the floor cuts off, in [0, 1).
  [[nodiscard]] double residue() const {
    double value = 0;
    for (std::uint64_t i = 0; i < 3 && i + 2 <= n_ / 32; ++i)
      value += limbs_[n_ / 32 - 2 - i] * scale(i);
    return value;
  }

 private:
  static double scale(std::uint64_t i) { return i == 0 ? 0x1p-32 : i == 1 ? 0x1p-64 : 0x1p-96; }

  std::uint64_t n_;
  std::uint64_t j_ = 0;
  std::vector<std::uint32_t> limbs_;  // least significant first
};

}  // namespace phe::test
