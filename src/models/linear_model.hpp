// LinearModel: ridge regression on the pulls so far.
//
//   theta-hat = G^-1 b,   G = ridge I + weight sum x x^T,   b = weight sum x y
//
// The linear policies differ in what they add to it; this is what they share. Not thread-safe.
#pragma once

#include <span>
#include <vector>

#include "phe/arms.hpp"
#include "phe/padded_rows.hpp"
#include "phe/ridge.hpp"

namespace phe {

class LinearModel {
 public:
  // `weight` is 1 / sigma^2 where rewards have noise of that scale. Precondition: both > 0.
  LinearModel(Arms arms, double ridge, double weight = 1.0);

  void learn(ArmId arm, double reward) noexcept;

  // theta = G^-1 (b + noise); without noise, theta-hat. Valid until the next call.
  std::span<const double> fit() noexcept { return ridge_.solve(reward_sum_); }
  std::span<const double> fit(std::span<const double> noise) noexcept {
    return ridge_.solve(reward_sum_, noise);
  }

  [[nodiscard]] const Arms& arms() const noexcept { return arms_; }
  [[nodiscard]] const RidgeModel& ridge() const noexcept { return ridge_; }
  [[nodiscard]] double weight() const noexcept { return weight_; }

 private:
  Arms arms_;
  PaddedRows rows_;
  RidgeModel ridge_;
  double weight_;
  std::vector<double> reward_sum_;  // b, padded
};

}  // namespace phe
