// PerturbationScale: a, the number of pseudo-rewards per observed reward.
#pragma once

#include <cstdint>

#include "phe/result.hpp"

namespace phe {

// The perturbation scale a, as a fraction: ceil(a * T) in doubles is wrong for 460 of the first
// 10^4 values of T at a = 1.1.
class PerturbationScale {
 public:
  // More pseudo-rewards of one row are not drawn exactly.
  static constexpr std::uint64_t most_trials = std::uint64_t{1} << 40;

  // The decimal number that `a` prints as (1.1 is 11/10). Allowed: 1e-6 <= a <= 1e6, with at most
  // 18 decimal places.
  static Result<PerturbationScale> from(double a);

  static PerturbationScale one() noexcept { return {1, 1}; }

  // ceil(a) as a scale: as many whole pseudo-rewards for each single pull.
  [[nodiscard]] PerturbationScale rounded_up() const noexcept { return {trials(1), 1}; }

  // ceil(a * pulls).
  [[nodiscard]] std::uint64_t trials(std::uint64_t pulls) const noexcept {
    return denominator_ == 1 ? numerator_ * pulls : rounded_up(pulls);
  }
  // Whether a row can have so many pulls.
  [[nodiscard]] bool allows(std::uint64_t pulls) const noexcept {
    return pulls <= most_trials && trials(pulls) <= most_trials;
  }
  [[nodiscard]] double value() const noexcept {
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }

 private:
  [[nodiscard]] std::uint64_t rounded_up(std::uint64_t pulls) const noexcept;

  PerturbationScale(std::uint64_t numerator, std::uint64_t denominator)
      : numerator_(numerator), denominator_(denominator) {}

  std::uint64_t numerator_;
  std::uint64_t denominator_;
};

}  // namespace phe
