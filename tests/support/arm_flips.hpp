// Pseudo-rewards of fixed arms, each arm a row from the start.
#pragma once

#include "core/pseudo_rewards.hpp"
#include "support/arms.hpp"

namespace phe::test {

class ArmFlips {
 public:
  using Kind = PseudoRewards::Kind;

  ArmFlips(double a, const Arms& arms, Kind kind = Kind::repeated)
      : rows_(arms.dimension()),
        pseudo_(PerturbationScale::from(a).value(), arms.dimension(), kind, arms.size()) {
    rows_.reserve(arms.size());
    std::vector<double> x(arms.dimension());
    for (ArmId arm = 0; arm < arms.size(); ++arm) {
      arms.copy_row(arm, x);
      pseudo_.add_pulls(rows_.append(x), 0);
    }
  }

  std::uint64_t set_pulls(ArmId arm, std::uint64_t pulls) {
    return pseudo_.add_pulls(arm, pulls - pseudo_.pulls(arm));
  }
  std::span<const double> draw(Rng& rng) { return pseudo_.draw(rows_, rng); }
  [[nodiscard]] std::uint64_t trials(ArmId arm) const { return pseudo_.trials(arm); }
  PseudoRewards& pseudo() { return pseudo_; }
  Rows& rows() { return rows_; }

 private:
  Rows rows_;
  PseudoRewards pseudo_;
};

// Arms e_1 .. e_K, so that the vector sum_i x_i U_i is the U_i themselves.
inline Arms unit_arms(std::size_t count) {
  return Arms::generate(count, count, [](auto arm, auto feature) { return arm == feature; })
      .value();
}

}  // namespace phe::test
