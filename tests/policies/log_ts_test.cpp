#include "policies/log_ts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "policies/logistic_twin.hpp"

namespace phe {
namespace {

// Draws of theta against N(mean, covariance), each entry within 5 standard errors.
void expect_law(LogTs& policy, const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance) {
  constexpr int draws = 20'000;
  Rng rng(1);
  const auto d = mean.size();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(d);
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(d, d);
  for (int i = 0; i < draws; ++i) {
    const Eigen::VectorXd theta =
        Eigen::Map<const Eigen::VectorXd>(policy.sample(rng).data(), d) - mean;
    sum += theta;
    squares += theta * theta.transpose();
  }
  for (Eigen::Index i = 0; i < d; ++i) {
    EXPECT_NEAR(sum[i] / draws, 0.0, 5 * std::sqrt(covariance(i, i) / draws));
    for (Eigen::Index j = 0; j < d; ++j) {
      // Isserlis: the variance of a product of two centred Gaussians.
      const double variance =
          covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
      EXPECT_NEAR(squares(i, j) / draws, covariance(i, j), 5 * std::sqrt(variance / draws));
    }
  }
}

TEST(LogTs, DrawsFromThePriorBeforeTheFirstReward) {
  const Arms arms = test::normal_arms(6, 3, 1);
  LogTs policy = LogTs::create(arms).value();
  expect_law(policy, Eigen::VectorXd::Zero(3), Eigen::MatrixXd::Identity(3, 3));
  LogTs narrow = LogTs::create(arms, {.ridge = 8.0, .rewards = {}}).value();
  expect_law(narrow, Eigen::VectorXd::Zero(3), Eigen::MatrixXd::Identity(3, 3) / 16);
}

TEST(LogTs, DrawsFromLaplacesApproximationOfThePosterior) {
  const Arms arms = test::normal_arms(6, 3, 2);
  LogTs policy = LogTs::create(arms).value();
  test::RewardList list(arms);
  for (std::uint64_t t = 0; t < 60; ++t) {
    const auto arm = static_cast<ArmId>(t * t % 6);
    const double reward = test::coin_reward(arm, t);
    policy.update(arm, reward);
    list.add(arm, reward);
  }
  const auto mode = list.estimate(0.5);
  const test::SlowLogistic::Matrix covariance = list.model(0.5).hessian(mode).inverse();
  expect_law(policy, mode.cast<double>(), covariance.cast<double>());
}

TEST(LogTs, FollowsThePosteriorAsItMoves) {
  // With the normals set to zero a sample is the mode: compare it with the slow one as data come.
  const Arms arms = test::normal_arms(8, 3, 3);
  LogisticMap map(arms, 0.5);
  test::RewardList list(arms);
  for (std::uint64_t t = 0; t < 200; ++t) {
    const auto arm = static_cast<ArmId>(t * 5 % 8);
    map.learn(arm, test::coin_reward(arm, t));
    list.add(arm, test::coin_reward(arm, t));
    if (t % 20 != 0) continue;
    const auto theta = map.fit();
    const auto mode = list.estimate(0.5);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(theta[j], static_cast<double>(mode[static_cast<Eigen::Index>(j)]), 1e-6);
  }
}

}  // namespace
}  // namespace phe
