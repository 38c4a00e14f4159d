// LinFpl: follow the perturbed leader in a linear bandit. Every observed reward gets fresh Gaussian
// noise of scale a, as in the randomised exploration of Kveton, Zaheer, Szepesvari, Li,
// Ghavamzadeh & Boutilier (AISTATS 2020, "GLM-FPL"), here with a linear model:
//
//   argmax_i x_i^T theta,   theta = G^-1 sum_i x_i (V_i + a sqrt(T_i) Z_i),   Z_i ~ N(0, 1),
//   G = ridge I + sum x x^T;
//
// the noise of an arm's T_i rewards enters only through its sum. LinPHE with the coin flips
// replaced by Gaussians, and without their mean.
#pragma once

#include <vector>

#include "models/arm_rows.hpp"
#include "models/linear_model.hpp"
#include "phe/arm_scorer.hpp"
#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "policies/initial_arms.hpp"

namespace phe {

struct LinFplOptions {
  double noise_scale = 0.5;  // a
  double ridge = 1.0;        // lambda
  RewardRange rewards;       // [m, M]; rewards are mapped to [0, 1]
};

class LinFpl final : public Policy {
 public:
  static Result<LinFpl> create(Arms arms, const LinFplOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "linfpl"; }

 private:
  LinFpl(Arms arms, const LinFplOptions& options);

  LinFplOptions options_;
  LinearModel model_;
  ArmScorer scorer_;
  History history_;
  ArmRows rows_;
  InitialArms initial_;
  std::vector<double> deviations_;  // a sqrt(T_i) of each pulled row
  std::vector<double> noise_;       // a sqrt(T_i) Z_i
  std::vector<double> noise_sum_;   // sum_i x_i a sqrt(T_i) Z_i
};

}  // namespace phe
