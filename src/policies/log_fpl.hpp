// LogFpl: follow the perturbed leader in a logistic bandit (GLM-FPL of Kveton, Zaheer, Szepesvari,
// Li, Ghavamzadeh & Boutilier, AISTATS 2020). Every observed reward gets fresh Gaussian noise of
// scale a:
//
//   argmax_i x_i^T theta,   theta = argmin sum_i T_i log(1 + exp(s_i)) - b^T theta + ridge
//   |theta|^2, b = sum_i x_i (V_i + a sqrt(T_i) Z_i),   Z_i ~ N(0, 1).
//
// LogPHE with the coin flips replaced by Gaussians. The noise may push a sum beyond what any mean
// explains, so ridge must be > 0.
#pragma once

#include <vector>

#include "phe/history.hpp"
#include "phe/logistic.hpp"
#include "phe/policy.hpp"
#include "phe/pulled_rows.hpp"
#include "phe/result.hpp"
#include "policies/initial_arms.hpp"

namespace phe {

struct LogFplOptions {
  double noise_scale = 0.5;  // a
  double ridge = 0.5;        // lambda
  RewardRange rewards;       // low is a failure, high a success, nothing between
};

class LogFpl final : public Policy {
 public:
  static Result<LogFpl> create(const Arms& arms, const LogFplOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "logfpl"; }

  // b of the last select, and what it was fitted to.
  [[nodiscard]] std::span<const double> target() const noexcept { return target_; }
  [[nodiscard]] const LogisticFit& last_fit() const noexcept { return last_fit_; }

 private:
  LogFpl(const Arms& arms, const LogFplOptions& options);

  LogFplOptions options_;
  History history_;
  LogisticModel model_;
  InitialArms initial_;
  std::vector<double> reward_part_;  // sum_i x_i V_i
  std::vector<double> deviations_;   // a sqrt(T_i), by row of the model
  std::vector<double> noise_;
  std::vector<double> target_;
  std::vector<double> theta_;
  std::vector<double> scores_;
  LogisticFit last_fit_;
};

}  // namespace phe
