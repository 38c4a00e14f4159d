#include "models/linear_model.hpp"

#include "kernels/padded.hpp"

namespace phe {

LinearModel::LinearModel(Arms arms, double ridge, double weight)
    : arms_(std::move(arms)),
      rows_(arms_),
      ridge_(arms_.dimension(), ridge),
      weight_(weight),
      reward_sum_(rows_.stride()) {}

void LinearModel::learn(ArmId arm, double reward) noexcept {
  rows_.row_of(arm);
  const auto x = rows_.features(arm);
  ridge_.add_padded(x, weight_);
  kernels::add_scaled(x.data(), weight_ * reward, x.size(), reward_sum_.data());
}

}  // namespace phe
