// Algorithm 1 of the paper line by line: the whole history, every coin flipped, a dense solve. And
// the exact mean and covariance of its theta-tilde.
//
// For an integer a each pull gets a flips, as the paper writes it; for a fraction each arm gets
// ceil(a T_i), and the Gram matrix is either of the two readings.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Dense>

#include "phe/lin_phe.hpp"
#include "phe/rng.hpp"
#include "support/arms.hpp"

namespace phe::test {

// a as a fraction, so that ceil(a T) is a matter of integers.
struct Fraction {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;

  [[nodiscard]] double value() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
  [[nodiscard]] std::uint64_t ceiling_of(std::uint64_t pulls) const {
    return (numerator * pulls + denominator - 1) / denominator;
  }
};

class Algorithm1 {
 public:
  // Takes ridge, gram, centred and rewards from `options`.
  Algorithm1(const Arms& arms, Fraction a, LinPheOptions options)
      : a_(a), options_(options), pulls_(arms.size()) {
    for (ArmId arm = 0; arm < arms.size(); ++arm) x_.push_back(row_of(arms, arm));
  }

  ArmId select(Rng& rng) const {
    const std::size_t t = pulled_.size() + 1;
    const std::size_t arms = x_.size();
    const auto d = static_cast<std::size_t>(x_[0].size());
    if (t <= d) return static_cast<ArmId>(arms - t);  // line 11: I_t = K - t + 1, counted from 1
    const Eigen::VectorXd theta = sample(rng);
    ArmId best = 0;  // line 9
    for (ArmId i = 1; i < arms; ++i)
      if (x_[i].dot(theta) > x_[best].dot(theta)) best = i;
    return best;
  }

  void update(ArmId arm, double reward) {
    pulled_.push_back(arm);
    rewards_.push_back((reward - options_.rewards.low) /
                       (options_.rewards.high - options_.rewards.low));
    ++pulls_[arm];
  }

  // Lines 6-8.
  Eigen::VectorXd sample(Rng& rng) const {
    Eigen::VectorXd b = Eigen::VectorXd::Zero(x_[0].size());
    for (std::size_t l = 0; l < pulled_.size(); ++l) {
      double y = rewards_[l];
      if (a_.denominator == 1)
        for (std::uint64_t j = 0; j < a_.numerator; ++j) y += pseudo_reward(rng);
      b += x_[pulled_[l]] * y;
    }
    if (a_.denominator != 1)
      for (std::size_t i = 0; i < x_.size(); ++i)
        for (std::uint64_t j = 0; j < trials(i); ++j) b += x_[i] * pseudo_reward(rng);
    return gram().ldlt().solve(b);
  }

  // Line 7.
  [[nodiscard]] Eigen::MatrixXd gram() const {
    const Eigen::Index d = x_[0].size();
    Eigen::MatrixXd g = options_.ridge * (a_.value() + 1) * Eigen::MatrixXd::Identity(d, d);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double weight = options_.gram == Gram::paper
                                ? (a_.value() + 1) * static_cast<double>(pulls_[i])
                                : static_cast<double>(pulls_[i] + trials(i));
      g += weight * x_[i] * x_[i].transpose();
    }
    return g;
  }

  // E sum_i x_i (V_i + U_i), with E U_i = m_i / 2, or 0 when centred.
  [[nodiscard]] Eigen::VectorXd mean_target() const {
    Eigen::VectorXd b = Eigen::VectorXd::Zero(x_[0].size());
    for (std::size_t l = 0; l < pulled_.size(); ++l) b += x_[pulled_[l]] * rewards_[l];
    if (!options_.centred)
      for (std::size_t i = 0; i < x_.size(); ++i) b += x_[i] * 0.5 * static_cast<double>(trials(i));
    return b;
  }

  // cov sum_i x_i U_i = sum_i m_i / 4 x_i x_i^T.
  [[nodiscard]] Eigen::MatrixXd target_covariance() const {
    Eigen::MatrixXd c = Eigen::MatrixXd::Zero(x_[0].size(), x_[0].size());
    for (std::size_t i = 0; i < x_.size(); ++i)
      c += 0.25 * static_cast<double>(trials(i)) * x_[i] * x_[i].transpose();
    return c;
  }

  [[nodiscard]] Eigen::VectorXd mean() const { return gram().ldlt().solve(mean_target()); }
  [[nodiscard]] Eigen::MatrixXd covariance() const {
    const Eigen::MatrixXd inverse = gram().inverse();
    return inverse * target_covariance() * inverse;
  }

 private:
  [[nodiscard]] std::uint64_t trials(std::size_t arm) const { return a_.ceiling_of(pulls_[arm]); }
  double pseudo_reward(Rng& rng) const {
    const double z = (rng() >> 63) != 0 ? 1.0 : 0.0;
    return options_.centred ? z - 0.5 : z;
  }

  Fraction a_;
  LinPheOptions options_;
  std::vector<Eigen::VectorXd> x_;
  std::vector<ArmId> pulled_;
  std::vector<double> rewards_;  // in [0, 1]
  std::vector<std::uint64_t> pulls_;
};

// A sample of theta-tilde, its mean and covariance.
class ThetaSample {
 public:
  template <class Draw>
  ThetaSample(std::size_t draws, Eigen::Index dimension, Draw draw)
      : draws_(static_cast<double>(draws)), values_(dimension, static_cast<Eigen::Index>(draws)) {
    for (Eigen::Index i = 0; i < values_.cols(); ++i) values_.col(i) = draw();
    mean_ = values_.rowwise().mean();
    values_.colwise() -= mean_;
    covariance_ = values_ * values_.transpose() / (draws_ - 1);
  }

  // By how many standard errors the mean or any entry of the covariance misses the given law, at
  // worst. The error of a mean is sqrt(C_ii / n); that of a covariance is at most
  // sqrt((C_ii C_jj + C_ij^2) / n), its value for normal variables: sums of coins have thinner
  // tails.
  [[nodiscard]] double deviation(const Eigen::VectorXd& mean,
                                 const Eigen::MatrixXd& covariance) const {
    double worst = 0;
    for (Eigen::Index i = 0; i < mean.size(); ++i) {
      const double error = std::sqrt(covariance(i, i) / draws_);
      worst = std::max(worst, std::abs(mean_(i) - mean(i)) / error);
      for (Eigen::Index j = 0; j <= i; ++j) {
        const double spread =
            covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
        worst = std::max(
            worst, std::abs(covariance_(i, j) - covariance(i, j)) / std::sqrt(spread / draws_));
      }
    }
    return worst;
  }

 private:
  double draws_;
  Eigen::MatrixXd values_;
  Eigen::VectorXd mean_;
  Eigen::MatrixXd covariance_;
};

}  // namespace phe::test
