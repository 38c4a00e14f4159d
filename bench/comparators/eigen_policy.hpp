// What the Eigen policies share: the arms as rows of a matrix, pulls and reward sums.
#pragma once

#include <cmath>
#include <random>

#include <Eigen/Dense>

#include "comparators/comparators.hpp"

namespace phe::bench {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class EigenPolicy : public Policy {
 public:
  explicit EigenPolicy(const Arms& arms)
      : x_(arms.size(), arms.dimension()),
        pulls_(VectorXd::Zero(x_.rows())),
        reward_sums_(VectorXd::Zero(x_.rows())) {
    for (Eigen::Index k = 0; k < x_.rows(); ++k)
      for (Eigen::Index j = 0; j < x_.cols(); ++j)
        x_(k, j) = arms.at(static_cast<ArmId>(k), static_cast<std::size_t>(j));
  }

  Result<void> update(ArmId arm, double reward) override {
    pulls_[arm] += 1.0;
    reward_sums_[arm] += reward;
    ++round_;
    return {};
  }
  [[nodiscard]] std::string_view name() const noexcept override { return "eigen"; }

 protected:
  // The first d rounds pull the last d arms.
  [[nodiscard]] bool starting() const { return round_ < x_.cols(); }
  [[nodiscard]] ArmId initial_arm() const { return static_cast<ArmId>(x_.rows() - 1 - round_); }
  template <class Scores>
  static ArmId best(const Scores& scores) {
    Eigen::Index arm = 0;
    scores.maxCoeff(&arm);
    return static_cast<ArmId>(arm);
  }
  // Fresh B(trials, 1/2) of each arm: a = 1, so an arm has as many pseudo-rewards as pulls.
  VectorXd pseudo_rewards() {
    VectorXd draws = VectorXd::Zero(x_.rows());
    for (Eigen::Index k = 0; k < x_.rows(); ++k)
      if (pulls_[k] > 0)
        draws[k] = std::binomial_distribution<int>(static_cast<int>(pulls_[k]), 0.5)(engine_);
    return draws;
  }
  VectorXd normals() {
    return VectorXd::NullaryExpr(x_.cols(), [this] { return normal_(engine_); });
  }

  MatrixXd x_;
  VectorXd pulls_;
  VectorXd reward_sums_;
  Eigen::Index round_ = 0;
  std::mt19937_64 engine_{1};
  std::normal_distribution<double> normal_;
};

template <class T>
std::unique_ptr<Policy> make_comparator(const Arms& arms, std::uint64_t rounds) {
  return std::make_unique<T>(arms, rounds);
}

}  // namespace phe::bench
