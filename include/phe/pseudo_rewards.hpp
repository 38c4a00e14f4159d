// PseudoRewards: the random half of the perturbed history (Section 3.2).
//
// Row i of the history was pulled T_i times, so it carries m_i = ceil(a T_i) pseudo-rewards, each
// Ber(1/2). They enter a model only through their sum U_i ~ B(m_i, 1/2), drawn afresh each round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phe/result.hpp"
#include "phe/rng.hpp"

namespace phe {

// The perturbation scale a, as a fraction: ceil(a * T) in doubles is wrong for 460 of the first
// 10^4 values of T at a = 1.1.
class PerturbationScale {
 public:
  // The decimal number that `a` prints as (1.1 is 11/10). Allowed: 1e-6 <= a <= 1e6.
  static Result<PerturbationScale> from(double a);

  // ceil(a * pulls).
  [[nodiscard]] std::uint64_t trials(std::uint64_t pulls) const noexcept;
  [[nodiscard]] double value() const noexcept {
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }

 private:
  PerturbationScale(std::uint64_t numerator, std::uint64_t denominator)
      : numerator_(numerator), denominator_(denominator) {}

  std::uint64_t numerator_;
  std::uint64_t denominator_;
};

class PseudoRewards {
 public:
  // Room for `rows` rows, none of them pulled.
  PseudoRewards(PerturbationScale scale, std::size_t rows);

  // Tells that row `row` now has `pulls` pulls; returns by how many its pseudo-rewards grew.
  // Exact up to 2^40 pseudo-rewards a row.
  std::uint64_t set_pulls(std::uint32_t row, std::uint64_t pulls) noexcept;

  // Draws U_i ~ B(m_i, 1/2) for all rows up to the last one pulled, independently, in one
  // vectorised pass. The result is padded with zeros to a multiple of 8 and valid until the next
  // call.
  std::span<const double> draw(Rng& rng) noexcept;

  [[nodiscard]] std::uint64_t trials(std::uint32_t row) const noexcept { return trials_[row]; }
  [[nodiscard]] PerturbationScale scale() const noexcept { return scale_; }

 private:
  PerturbationScale scale_;
  std::vector<std::uint64_t> trials_;  // m_i
  std::vector<double> sums_;           // U_i
  std::size_t in_use_ = 0;             // rows that may have trials, a multiple of 8
};

}  // namespace phe
