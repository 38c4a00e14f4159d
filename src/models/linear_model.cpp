#include "models/linear_model.hpp"

namespace phe {

LinearModel::LinearModel(Arms arms, double ridge, double weight)
    : arms_(std::move(arms)),
      ridge_(arms_.dimension(), ridge),
      weight_(weight),
      reward_sum_(arms_.dimension()),
      target_(arms_.dimension()) {}

void LinearModel::learn(ArmId arm, double reward) noexcept {
  const auto row = ridge_.add(arms_, arm, weight_);
  const double weighted = weight_ * reward;
  for (std::size_t j = 0; j < row.size(); ++j) reward_sum_[j] += weighted * row[j];
}

std::span<const double> LinearModel::fit() noexcept { return ridge_.solve(reward_sum_); }

std::span<const double> LinearModel::fit(std::span<const double> noise) noexcept {
  for (std::size_t j = 0; j < target_.size(); ++j) target_[j] = reward_sum_[j] + noise[j];
  return ridge_.solve(target_);
}

}  // namespace phe
