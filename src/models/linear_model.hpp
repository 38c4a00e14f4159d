// LinearModel: ridge regression on the observations so far.
//
//   theta-hat = G^-1 b,   G = ridge I + weight sum x x^T,   b = weight sum x y
//
// The linear policies differ in what they add to it; this is what they share. Not thread-safe.
#pragma once

#include <cstdint>
#include <span>

#include "core/aligned_vector.hpp"
#include "kernels/padded.hpp"
#include "models/ridge.hpp"

namespace phe {

class LinearModel {
 public:
  // `weight` is 1 / sigma^2 where rewards have noise of that scale. Precondition: both > 0.
  LinearModel(std::size_t dimension, double ridge, double weight = 1.0);

  // x, padded, was observed `pulls` times, and the rewards add up to `reward_sum`.
  void learn(std::span<const double> x, double pulls, double reward_sum) noexcept {
    ridge_.add_padded(x, weight_ * pulls);
    kernels::add_scaled(x.data(), weight_ * reward_sum, x.size(), reward_sum_.data());
  }

  // theta = G^-1 (b + noise); without noise, theta-hat. Valid until the next call.
  std::span<const double> fit() noexcept { return ridge_.solve(reward_sum_); }
  std::span<const double> fit(std::span<const double> noise) noexcept {
    return ridge_.solve(reward_sum_, noise);
  }

  [[nodiscard]] const RidgeModel& ridge() const noexcept { return ridge_; }
  [[nodiscard]] double weight() const noexcept { return weight_; }

  void merge(const LinearModel& other) noexcept;
  void persist(Archive& archive);

 private:
  RidgeModel ridge_;
  double weight_;
  AlignedVector reward_sum_;  // b, padded
};

}  // namespace phe
