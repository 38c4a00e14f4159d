#include "models/logistic_map.hpp"

#include "kernels/score_arms.hpp"

namespace phe {

LogisticMap::LogisticMap(const Arms& arms, double ridge)
    : model_(arms, ridge), theta_(arms.dimension()), scores_(arms.view().stride) {}

std::span<const double> LogisticMap::fit() noexcept {
  model_.fit(model_.expected_target(), theta_);
  return theta_;
}

std::span<const double> LogisticMap::sample(std::span<const double> normals) noexcept {
  fit();
  model_.perturb(normals, theta_);
  return theta_;
}

std::span<const double> LogisticMap::score(std::span<const double> theta) noexcept {
  kernels::score_arms(arms().view(), theta, scores_);
  return scores_;
}

std::span<const double> LogisticMap::greedy_scores() noexcept {
  model_.fit_until_certain(model_.expected_target(), theta_, scores_);
  return scores_;
}

}  // namespace phe
