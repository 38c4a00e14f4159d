// LogisticUcb: what the UCBs of the logistic model share: theta-hat, fitted anew each round, and
// the widths |x|_{G^-1}, G = ridge I + sum x x^T.
#pragma once

#include "kernels/score_arms.hpp"
#include "models/arm_widths.hpp"
#include "policies/glm_learner.hpp"

namespace phe {

class LogisticUcb : public LogisticLearner {
 public:
  void observe(const Observation& observation) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  double score(std::span<const double> x, Rng& rng) override;
  [[nodiscard]] bool certain() const noexcept override { return true; }
  std::span<const double> draw(Rng& /*rng*/) override { return fit(); }
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

  // What the width is multiplied by.
  [[nodiscard]] double radius() const noexcept { return radius_; }

 protected:
  enum class Bound { of_score, of_mean };  // optimism about x^T theta, or about sigma of it

  LogisticUcb(const Arms& arms, double ridge, Bound bound);
  // The radius when no feature vector is longer than `squared_norm`^(1/2).
  [[nodiscard]] virtual double radius_for(double squared_norm) const noexcept = 0;
  // In contexts the longest is the longest observed.
  void see_norm(double squared) noexcept;

 private:
  // Fills `bounds` with the upper bounds, padded.
  kernels::BestArms best_bounds(Offered& offered, std::span<double> bounds);

  Bound bound_;
  RidgeModel gram_;
  ArmWidths widths_;
  double squared_norm_ = -1.0;
  double radius_ = 0.0;
  std::vector<double> slopes_;
};

}  // namespace phe
