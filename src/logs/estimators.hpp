// The estimators, each a sum of at most two ratios of means.
//
// With w = pi(a | x, k) / p, q the model's reward of the logged action, DM = sum_a pi(a) q(a), and
// c the number of events that a row stands for (1 unless the log was thinned):
//
//   IPS     mean(c w r) / mean(c)                      clipped  mean(c min(w, M) r) / mean(c)
//   SNIPS   mean(c w r) / mean(c w)                    DM       mean(c DM) / mean(c)
//   DR      DM + mean(c w (r - q)) / mean(c)           SNDR     DM + mean(c w (r - q)) / mean(c w)
//   switch  DM + mean(c w [w <= tau] (r - q)) / mean(c)
//   DRos    DM + mean(c lambda w / (w^2 + lambda) (r - q)) / mean(c)
//
// So one pass that keeps means and covariances of these columns gives every value, and by the delta
// method (the influence values' variance) every standard error. A bootstrap needs the same ratios.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "logs/joint_moments.hpp"

namespace phe::logs {

// What is averaged. Without a reward model the columns from `direct` on are not.
enum Column : std::size_t {
  multiplicity,  // c
  weight,        // c w
  reward,        // c r
  ips,           // c w r
  clipped,       // c min(w, M) r
  direct,        // c DM
  residual,      // c w (r - q)
  switched,      // c w [w <= tau] (r - q)
  shrunk,        // c lambda w / (w^2 + lambda) (r - q)
  column_count
};

inline constexpr std::size_t columns_without_model = direct;

using Moments = JointMoments<column_count>;
using Row = Moments::Row;

struct WeightLimits {
  double clip = 10.0;       // M
  double switch_at = 10.0;  // tau; a weight of tau is not switched
  double shrinkage = 10.0;  // lambda
};

// What the model says of one decision.
struct Modelled {
  double direct = 0.0;  // DM: the target's mean reward
  double logged = 0.0;  // q: of the logged action
};

Row columns_of(double w, double reward, double multiplicity, const Modelled& model,
               const WeightLimits& limits) noexcept;

struct Estimator {
  std::string_view name;
  std::optional<Column> direct;      // divided by mean(c)
  std::optional<Column> correction;  // divided by the mean of `denominator`
  Column denominator = multiplicity;

  [[nodiscard]] double value(const Row& means) const noexcept;
  // d value / d means: an influence value is this times a row's distance from the means.
  [[nodiscard]] Row gradient(const Row& means) const noexcept;
  [[nodiscard]] double standard_error(const Moments& moments) const noexcept;
};

// The mean reward of the log itself.
inline constexpr Estimator on_policy{"logged", {}, reward, multiplicity};
// What DR adds to DM: of mean 0 where the reward model is right.
inline constexpr Estimator dr_correction{"correction", {}, residual, multiplicity};

// IPS, clipped, SNIPS; with a model also DM, DR, SNDR, switch and DRos.
std::span<const Estimator> estimators(bool with_model) noexcept;

}  // namespace phe::logs
