// LinPheLearner: lines 6 to 8 of Algorithm 1. theta-tilde is the ridge regression on the history of
// rewards mixed with fresh pseudo-rewards, of which the model sees only sums:
//
//   theta = G^-1 sum_i x_i (V_i + U_i).
//
// Fixed arms are pulled often: U_i ~ B(ceil(a T_i), 1/2). A row of contexts is mostly seen once,
// and ceil(a 1) would make 1 of a = 1/2; so each observation has m = ceil(a) flips, scaled:
// U = a/2 + sqrt(a / m) (B(m, 1/2) - m/2), of mean a/2 and variance a/4 (docs/contexts.md).
//
// With fade = p > 0 an observation brings a h^p pseudo-rewards, h its leverage: many where little
// is known, few where much is, without a horizon. They are on top of the history and not in its
// Gram matrix: theta = (sum x x^T + lambda I)^-1 sum_i x_i (V_i + U_i) (docs/tuning.md).
#pragma once

#include "models/ridge.hpp"
#include "phe/lin_phe.hpp"
#include "policies/configured.hpp"
#include "policies/perturbed_history.hpp"

namespace phe {

class LinPheLearner : public Configured<LinPheLearner, LinPheOptions> {
 public:
  static const Keys<LinPheOptions>& keys();
  static Result<void> check(const Arms& arms, const LinPheOptions& options);
  LinPheLearner(const Arms& arms, const LinPheOptions& options);

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  [[nodiscard]] bool keeps_rows() const noexcept override { return true; }
  [[nodiscard]] Result<void> weighable() const override { return {}; }
  [[nodiscard]] double row_scale(double weight) const noexcept override {
    return weight * history_.law().spread_of_each();
  }
  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  std::span<const double> theta() override { return estimate(); }
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

  [[nodiscard]] std::span<const double> estimate() const noexcept { return model_.solution(); }
  [[nodiscard]] const PseudoRewards& pseudo_rewards() const noexcept {
    return history_.pseudo_rewards();
  }

 private:
  [[nodiscard]] double weight_of_pulls() const noexcept;
  [[nodiscard]] double news(std::span<const double> x,
                            const Observation& observation) const noexcept;
  // What the flips' deviation from their mean is multiplied by in this round.
  [[nodiscard]] double spread() const noexcept;

  Rows rows_;
  PerturbedHistory history_;
  RidgeModel model_;
  std::uint64_t pulls_ = 0;
};

}  // namespace phe
