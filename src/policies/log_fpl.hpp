// LogFpl: follow the perturbed leader in a logistic bandit (GLM-FPL of Kveton, Zaheer, Szepesvari,
// Li, Ghavamzadeh & Boutilier, AISTATS 2020). Every observed reward gets fresh Gaussian noise of
// scale a:
//
//   argmax_i x_i^T theta,   theta = argmin sum_i T_i log(1 + exp(s_i)) - b^T theta + ridge
//   |theta|^2, b = sum_i x_i (V_i + a sqrt(T_i) Z_i),   Z_i ~ N(0, 1).
//
// LogPHE with the coin flips replaced by Gaussians. The noise may push a sum beyond what any mean
// explains, so ridge must be > 0.
//
// In contexts the prior is perturbed too: a reward adds 1/4 x x^T to the Hessian (at even odds) and
// a^2 x x^T to the covariance of the noise, so the prior's 2 ridge I goes with 8 a^2 ridge I.
#pragma once

#include <cmath>

#include "policies/configured.hpp"
#include "policies/glm_learner.hpp"
#include "policies/row_noise.hpp"

namespace phe {

struct LogFplOptions {
  double noise_scale = 0.5;    // a
  double ridge = 0.5;          // lambda
  bool perturb_prior = false;  // by a sqrt(8 ridge) N(0, I)
};

class LogFpl final : public Configured<LogFpl, LogFplOptions, LogisticLearner> {
 public:
  static const Keys<LogFplOptions>& keys();
  LogFpl(const Arms& arms, const LogFplOptions& options);

  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  void persist(Archive& archive) override;

  // b of the last draw.
  [[nodiscard]] std::span<const double> target() const noexcept { return target_; }

 private:
  std::span<const double> draw_target(Rng& rng);

  RowNoise noise_;
  std::vector<double> target_;
};

}  // namespace phe
