// PseudoRewards: the random half of the perturbed history (Section 3.2).
//
// Arm i was pulled T_i times, so the history carries m_i = ceil(a T_i) pseudo-rewards of it, each
// Ber(1/2) and fresh in each round. A linear or logistic model sees of them only the vector
//
//   sum_i x_i U_i,   U_i ~ B(m_i, 1/2).
//
// The pseudo-rewards that a row of the history will get in the next rounds are independent of all
// that happens until then. So they are drawn for 16 rounds at a time, row by row, and the 16
// vectors are one small matrix product; a pull made meanwhile adds its own pseudo-rewards to the
// vectors that are left. Exactly the same law, at less than half the cost (docs/decisions/004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phe/aligned_vector.hpp"
#include "phe/arms.hpp"
#include "phe/padded_rows.hpp"
#include "phe/result.hpp"
#include "phe/rng.hpp"

namespace phe {

// The perturbation scale a, as a fraction: ceil(a * T) in doubles is wrong for 460 of the first
// 10^4 values of T at a = 1.1.
class PerturbationScale {
 public:
  // The decimal number that `a` prints as (1.1 is 11/10). Allowed: 1e-6 <= a <= 1e6, with at most
  // 18 decimal places.
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
  static constexpr std::size_t look_ahead = 16;  // rounds drawn at a time

  PseudoRewards(PerturbationScale scale, Arms arms);

  // Tells that `arm` now has `pulls` pulls, no fewer than before; returns by how many its
  // pseudo-rewards grew. Exact up to 2^40 pseudo-rewards an arm.
  std::uint64_t set_pulls(ArmId arm, std::uint64_t pulls) noexcept;

  // sum_i x_i U_i with fresh U_i ~ B(m_i, 1/2), all independent, of this call and of all others.
  // d entries, valid until the next call.
  std::span<const double> draw(Rng& rng) noexcept;

  [[nodiscard]] std::uint64_t trials(ArmId arm) const noexcept { return trials_[arm]; }
  [[nodiscard]] PerturbationScale scale() const noexcept { return scale_; }
  // x_arm, padded with zeros to a multiple of 8 entries. Precondition: the arm has pseudo-rewards.
  [[nodiscard]] std::span<const double> features(ArmId arm) const noexcept {
    return rows_.features(arm);
  }

 private:
  void draw_ahead(Rng& rng) noexcept;
  void add_growth(ArmId arm, Rng& rng) noexcept;

  PerturbationScale scale_;
  Arms arms_;
  std::vector<std::uint64_t> trials_;  // m_i, by arm

  // What the vectors ahead were drawn for.
  PaddedRows rows_;
  std::vector<std::uint64_t> drawn_trials_;  // by row
  AlignedVector ahead_;                      // 16 vectors, padded to a multiple of 8 entries each
  std::size_t rounds_left_ = 0;
  // The first of these are the arms with pseudo-rewards that are not in these vectors yet. Room for
  // all arms, which a copy has too: nothing allocates in a round.
  std::vector<ArmId> grown_;
  std::size_t grown_count_ = 0;

  AlignedVector draws_;  // work space
};

}  // namespace phe
