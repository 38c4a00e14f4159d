// LinFpl: follow the perturbed leader in a linear bandit. Every observed reward gets fresh Gaussian
// noise of scale a, as in the randomised exploration of Kveton, Zaheer, Szepesvari, Li,
// Ghavamzadeh & Boutilier (AISTATS 2020, "GLM-FPL"), here with a linear model:
//
//   argmax_i x_i^T theta,   theta = G^-1 sum_i x_i (V_i + a sqrt(T_i) Z_i),   Z_i ~ N(0, 1),
//   G = ridge I + sum x x^T;
//
// the noise of an arm's T_i rewards enters only through its sum. LinPHE with the coin flips
// replaced by Gaussians, and without their mean.
//
// In contexts, where there is no basis to start from, the prior is perturbed too, by
// a sqrt(ridge) N(0, I). A draw is a pass over the distinct rows observed.
#pragma once

#include "policies/configured.hpp"
#include "policies/linear_learner.hpp"
#include "policies/row_noise.hpp"

namespace phe {

struct LinFplOptions {
  double noise_scale = 0.5;    // a
  double ridge = 1.0;          // lambda
  bool perturb_prior = false;  // by a sqrt(ridge) N(0, I)
};

class LinFpl final : public Configured<LinFpl, LinFplOptions, LinearLearner> {
 public:
  static const Keys<LinFplOptions>& keys();
  LinFpl(const Arms& arms, const LinFplOptions& options);

  [[nodiscard]] bool keeps_rows() const noexcept override { return true; }
  [[nodiscard]] Result<void> weighable() const override { return {}; }
  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

 private:
  RowNoise noise_;
};

}  // namespace phe
