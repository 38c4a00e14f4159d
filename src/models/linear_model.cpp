#include "models/linear_model.hpp"

#include "phe/arms.hpp"
#include "support/archive.hpp"

namespace phe {

LinearModel::LinearModel(std::size_t dimension, double ridge, double weight)
    : ridge_(dimension, ridge), weight_(weight), reward_sum_(padded(dimension)) {}

void LinearModel::merge(const LinearModel& other) noexcept {
  ridge_.merge(other.ridge_);
  for (std::size_t j = 0; j < reward_sum_.size(); ++j) reward_sum_[j] += other.reward_sum_[j];
}

void LinearModel::persist(Archive& archive) {
  ridge_.persist(archive);
  archive.fixed(reward_sum_);
}

}  // namespace phe
