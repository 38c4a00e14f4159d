// LinearLearner: the ridge model of the rewards so far; what most linear policies share.
#pragma once

#include "models/linear_model.hpp"
#include "policies/learner.hpp"

namespace phe {

class LinearLearner : public ThetaLearner {
 public:
  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  void observe(const Observation& observation) override {
    model_.learn(rows_.features(observation.row), observation.pulls, observation.reward_sum);
  }
  std::span<const double> draw(Rng& /*rng*/) override { return model_.fit(); }
  std::span<const double> theta() override { return model_.ridge().solution(); }
  void persist(Archive& archive) override { model_.persist(archive); }
  void merge(const Learner& other) override {
    model_.merge(dynamic_cast<const LinearLearner&>(other).model_);
  }

 protected:
  LinearLearner(std::size_t dimension, double ridge, double weight = 1.0,
                Rows::Layout layout = Rows::Layout::by_row)
      : rows_(dimension, layout), model_(dimension, ridge, weight) {}

  Rows rows_;
  LinearModel model_;
};

}  // namespace phe
