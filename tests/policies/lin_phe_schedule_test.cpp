// linphe:schedule=linear; LinPHE itself is tested in lin_phe_test.cpp.
#include <cmath>

#include <gtest/gtest.h>

#include "phe/lin_phe.hpp"
#include "policies/twin.hpp"
#include "support/sizes.hpp"

namespace phe::test {
namespace {

// 40 pulls of known arms and rewards, then estimates of the next round of 80, drawn many times.
struct Moments {
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(3);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(3, 3);
};

constexpr std::uint64_t pulls = 40;

Moments sample(const Arms& arms, const LinPheOptions& options, std::size_t count) {
  LinPhe policy = LinPhe::create(arms, options).value();
  for (std::uint64_t t = 0; t < pulls; ++t) {
    const auto arm = static_cast<ArmId>(t % arms.size());
    EXPECT_TRUE(policy.update(arm, fraction(arm, t)).ok());
  }
  Rng rng(9);
  Moments moments;
  std::vector<Eigen::VectorXd> draws;
  for (std::size_t i = 0; i < count; ++i) {
    policy.fit(rng);
    draws.emplace_back(Eigen::Map<const Eigen::VectorXd>(policy.estimate().data(), 3));
    moments.mean += draws.back() / static_cast<double>(count);
  }
  for (const auto& draw : draws)
    moments.covariance +=
        (draw - moments.mean) * (draw - moments.mean).transpose() / static_cast<double>(count - 1);
  return moments;
}

TEST(LinPheSchedule, LinearKeepsTheMeanOfTheEstimateAndScalesItsCovarianceByTheRoundsLeft) {
  const Arms arms = normal_arms(5, 3, 1);
  const std::size_t count = draws(100'000, 10'000);
  LinPheOptions options;
  options.perturbation_scale = 1.0;
  const Moments constant = sample(arms, options, count);
  options.schedule = ScaleSchedule::linear;
  options.rounds = 160;  // 40 of them are over, so a_t = 3/4 a
  const Moments linear = sample(arms, options, count);
  const auto n = static_cast<double>(count);
  for (Eigen::Index i = 0; i < 3; ++i) {
    const double variance = constant.covariance(i, i);
    EXPECT_NEAR(linear.mean[i], constant.mean[i], 5 * std::sqrt(2 * variance / n));
    // The variance of a sample variance is 2 v^2 / n for a normal law, less for flips.
    EXPECT_NEAR(linear.covariance(i, i), 0.75 * variance, 5 * variance * std::sqrt(4 / n));
  }
}

TEST(LinPheSchedule, LinearPerturbsTheLastRoundByItsShareAlone) {
  const Arms arms = normal_arms(5, 3, 1);
  const std::size_t count = draws(100'000, 10'000);
  LinPheOptions options;
  options.perturbation_scale = 1.0;
  const Moments constant = sample(arms, options, count);
  options.schedule = ScaleSchedule::linear;
  options.rounds = pulls + 1;  // round 41 of 41: a_t = a / 41
  const Moments linear = sample(arms, options, count);
  for (Eigen::Index i = 0; i < 3; ++i)
    EXPECT_NEAR(41 * linear.covariance(i, i) / constant.covariance(i, i), 1.0,
                5 * std::sqrt(4 / static_cast<double>(count)));
}

TEST(LinPheSchedule, LinearNoLongerPerturbsAfterTheHorizon) {
  const Arms arms = normal_arms(5, 3, 1);
  LinPheOptions options;
  options.schedule = ScaleSchedule::linear;
  options.rounds = pulls;
  const Moments moments = sample(arms, options, 100);
  EXPECT_LT(moments.covariance.norm(), 1e-24);
}

TEST(LinPheSchedule, RefusesAHorizonOfNoRounds) {
  LinPheOptions options;
  options.schedule = ScaleSchedule::linear;
  options.rounds = 0;
  EXPECT_EQ(LinPhe::create(normal_arms(5, 3, 1), options).error().message,
            "linphe: the linear schedule needs rounds >= 1, got 0");
}

}  // namespace
}  // namespace phe::test
