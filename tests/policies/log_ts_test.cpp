#include <cmath>

#include <gtest/gtest.h>

#include "policies/glm_ts.hpp"
#include "policies/logistic_twin.hpp"
#include "support/learning.hpp"

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
        Eigen::Map<const Eigen::VectorXd>(policy.draw(rng).data(), d) - mean;
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
  test::Learning<LogTs> policy(arms, LogTs::create(arms));
  expect_law(policy.learner(), Eigen::VectorXd::Zero(3), Eigen::MatrixXd::Identity(3, 3));
  test::Learning<LogTs> narrow(arms, LogTs::create(arms, {.ridge = 8.0}));
  expect_law(narrow.learner(), Eigen::VectorXd::Zero(3), Eigen::MatrixXd::Identity(3, 3) / 16);
}

TEST(LogTs, DrawsFromLaplacesApproximationOfThePosterior) {
  const Arms arms = test::normal_arms(6, 3, 2);
  test::Learning<LogTs> policy(arms, LogTs::create(arms));
  test::RewardList list(arms);
  for (std::uint64_t t = 0; t < 60; ++t) {
    const auto arm = static_cast<ArmId>(t * t % 6);
    const double reward = test::coin_reward(arm, t);
    policy.update(arm, reward);
    list.add(arm, reward);
  }
  const auto mode = list.estimate(0.5);
  const test::SlowLogistic::Matrix covariance = list.model(0.5).hessian(mode).inverse();
  expect_law(policy.learner(), mode.cast<double>(), covariance.cast<double>());
}

TEST(LogTs, FollowsThePosteriorAsItMoves) {
  const Arms arms = test::normal_arms(8, 3, 3);
  test::Learning<LogTs> policy(arms, LogTs::create(arms));
  test::RewardList list(arms);
  Rng rng(1);
  for (std::uint64_t t = 0; t < 200; ++t) {
    const auto arm = static_cast<ArmId>(t * 5 % 8);
    policy.update(arm, test::coin_reward(arm, t));
    list.add(arm, test::coin_reward(arm, t));
    if (t % 20 != 0) continue;
    // Every draw moves away from the mode; the mean of many is near it.
    const auto mode = list.estimate(0.5);
    const test::SlowLogistic::Matrix covariance = list.model(0.5).hessian(mode).inverse();
    constexpr int draws = 4'000;
    std::vector<double> sum(3);
    for (int i = 0; i < draws; ++i) {
      const auto theta = policy.learner().draw(rng);
      for (std::size_t j = 0; j < 3; ++j) sum[j] += theta[j];
    }
    for (std::size_t j = 0; j < 3; ++j) {
      const auto i = static_cast<Eigen::Index>(j);
      EXPECT_NEAR(sum[j] / draws, static_cast<double>(mode[i]),
                  5 * std::sqrt(static_cast<double>(covariance(i, i)) / draws))
          << t;
    }
  }
}

}  // namespace
}  // namespace phe
