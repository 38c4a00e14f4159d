// The law of perturbed history in contexts, from its formulas: observation l gets a fresh U_l of
// mean a/2 and variance a/4 in every round, the prior noise of a variance that is given, and
//
//   sum_l x_l (y_l + U_l) + prior noise
//
// is what a model is fitted to.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Dense>

#include "support/contexts.hpp"

namespace phe::test {

struct TargetLaw {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

// All observations, in a list, and the sums over it that the law is made of.
class ContextHistory {
 public:
  explicit ContextHistory(std::size_t dimension)
      : identity_(Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(dimension),
                                            static_cast<Eigen::Index>(dimension))),
        squares_(0 * identity_),
        sum_(squares_.col(0)),
        paid_(sum_) {}

  void add(const Eigen::VectorXd& x, double reward) {
    rows_.push_back(x);
    rewards_.push_back(reward);
    squares_ += x * x.transpose();
    sum_ += x;
    paid_ += reward * x;
  }
  // The same observations for a policy; or the last alone.
  template <class Learner>
  void teach(Learner& learner) const {
    for (std::size_t l = 0; l < size(); ++l) teach(learner, l);
  }
  template <class Learner>
  void teach_last(Learner& learner) const {
    teach(learner, size() - 1);
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::vector<Eigen::VectorXd>& rows() const { return rows_; }

  [[nodiscard]] TargetLaw target(double a, bool centred, double prior_variance) const {
    return {paid_ + (centred ? 0.0 : a / 2) * sum_, a / 4 * squares_ + prior_variance * identity_};
  }
  // (a + 1) (sum x x^T + ridge I).
  [[nodiscard]] Eigen::MatrixXd gram(double a, double ridge) const {
    return (a + 1) * (squares_ + ridge * identity_);
  }

 private:
  template <class Learner>
  void teach(Learner& learner, std::size_t l) const {
    EXPECT_TRUE(learner.update(span_of(rows_[l]), rewards_[l]).ok());
  }

  Eigen::MatrixXd identity_;
  Eigen::MatrixXd squares_;  // sum x x^T
  Eigen::VectorXd sum_;      // sum x
  Eigen::VectorXd paid_;     // sum x y
  std::vector<Eigen::VectorXd> rows_;
  std::vector<double> rewards_;
};

// Of theta = G^-1 target.
inline TargetLaw solved(const Eigen::MatrixXd& gram, const TargetLaw& target) {
  const Eigen::MatrixXd inverse = gram.inverse();
  return {inverse * target.mean, inverse * target.covariance * inverse};
}

// `count` observations with rewards of 0 and 1: of rows that are all distinct, or of five rows, the
// k-th of which is seen in proportion to k^2.
inline ContextHistory known_history(std::size_t dimension, std::size_t count, bool repeated) {
  Rng rng(31);
  std::vector<Eigen::VectorXd> five;
  for (std::uint64_t k = 1; k <= 5; ++k)
    for (std::uint64_t i = 0; i < k * k; ++i)
      five.push_back(i == 0 ? normal_row(dimension, rng) : five.back());
  ContextHistory history(dimension);
  for (std::size_t l = 0; l < count; ++l) {
    const Eigen::VectorXd x = repeated ? five[rng.below(five.size())] : normal_row(dimension, rng);
    history.add(x, rng.below(3) == 0 ? 1.0 : 0.0);
  }
  return history;
}

// The noise of a target in units of its law: mean 0, variance 1, no two entries correlated.
inline Eigen::VectorXd whitened(const Eigen::VectorXd& target, const TargetLaw& law) {
  return law.covariance.llt().matrixL().solve(target - law.mean);
}

}  // namespace phe::test
