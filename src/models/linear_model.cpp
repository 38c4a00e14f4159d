#include "models/linear_model.hpp"

namespace phe {

LinearModel::LinearModel(Arms arms, double ridge, double weight)
    : arms_(std::move(arms)),
      ridge_(arms_.dimension(), ridge),
      weight_(weight),
      reward_sum_(arms_.dimension()),
      theta_(arms_.dimension()),
      row_(arms_.dimension()) {}

void LinearModel::learn(ArmId arm, double reward) noexcept {
  arms_.copy_row(arm, row_);
  ridge_.add(row_, weight_);
  const double weighted = weight_ * reward;
  for (std::size_t j = 0; j < row_.size(); ++j) reward_sum_[j] += weighted * row_[j];
}

std::span<const double> LinearModel::fit() noexcept {
  ridge_.solve(reward_sum_, theta_);
  return theta_;
}

std::span<const double> LinearModel::fit(std::span<const double> noise) noexcept {
  for (std::size_t j = 0; j < row_.size(); ++j) row_[j] = reward_sum_[j] + noise[j];
  ridge_.solve(row_, theta_);
  return theta_;
}

}  // namespace phe
