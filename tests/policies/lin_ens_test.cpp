#include "policies/lin_ens.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/binomial_half.hpp"
#include "policies/twin.hpp"
#include "support/learning.hpp"

namespace phe::test {
namespace {

constexpr std::size_t models = 5;

// M whole models, each fitted to a history of its own.
std::vector<DenseRidge> prior_models(std::size_t d, double ridge, Rng& rng) {
  std::vector<DenseRidge> twins(models, DenseRidge(d, ridge));
  for (auto& twin : twins)
    for (double& entry : twin.target) entry = ridge * kernels::normal(rng) / std::sqrt(ridge);
  return twins;
}

TEST(LinEns, GaussianModelsAreThoseOfSeparateHistoriesWithTheSameNoise) {
  const Arms arms = normal_arms(13, 4, 1);
  LinEnsOptions options;
  options.models = models;
  options.ridge = 0.6;
  options.sigma = 0.4;
  Learning<LinEns> policy(arms, LinEns::create(arms, options));
  Rng rng(3);
  Rng twin_rng(3);
  auto twins = prior_models(4, 0.6, twin_rng);
  ArmId arm = 0;
  for (std::uint64_t t = 1; t <= 300; ++t) {
    if (t > 1)
      for (auto& twin : twins)
        twin.add(row_of(arms, arm), fraction(arm, t - 1) + 0.4 * kernels::normal(twin_rng),
                 1 / (0.4 * 0.4));
    const auto& chosen = twins[twin_rng.below(models)];
    const ArmId expected = dense_best(dense_scores(arms, chosen.estimate()), twin_rng);
    arm = policy.select(rng);
    ASSERT_EQ(arm, expected) << "round " << t;
    policy.update(arm, fraction(arm, t));
  }
}

TEST(LinEns, BernoulliModelsAreThoseOfSeparatePerturbedHistoriesThatAreNeverRefreshed) {
  const Arms arms = normal_arms(13, 4, 1);
  LinEnsOptions options;
  options.models = models;
  options.noise = EnsembleNoise::bernoulli;
  options.perturbation_scale = 2.0;
  Learning<LinEns> policy(arms, LinEns::create(arms, options), Start::basis);
  Rng rng(3);
  Rng twin_rng(3);
  // The paper's Gram matrix, with its factor a + 1.
  std::vector<DenseRidge> twins(models, DenseRidge(4, 3.0));
  ArmId arm = 0;
  for (std::uint64_t t = 1; t <= 300; ++t) {
    if (t > 1) {
      const std::vector<std::uint64_t> trials(8, 2);
      std::vector<double> sums(8);
      kernels::scalar::binomial_half(trials, twin_rng, sums);
      for (std::size_t m = 0; m < models; ++m) {
        twins[m].add(row_of(arms, arm), 0.0, 3.0);
        twins[m].target += (fraction(arm, t - 1) + sums[m]) * row_of(arms, arm);
      }
    }
    ArmId expected = static_cast<ArmId>(13 - t);
    if (t > 4) {
      const auto& chosen = twins[twin_rng.below(models)];
      expected = dense_best(dense_scores(arms, chosen.estimate()), twin_rng);
    }
    arm = policy.select(rng);
    ASSERT_EQ(arm, expected) << "round " << t;
    policy.update(arm, fraction(arm, t));
  }
}

TEST(LinEns, SeveralPullsBetweenTwoSelectsAreAllPerturbed) {
  // One arm x = 1, one model: theta_1 - theta-hat = (prior + noise of 100 pulls) / G is the same
  // whether the pulls come one by one or at once, in distribution. Only its sign is seen here: arm
  // 1 is -x, so it is pulled when theta_1 < 0.
  const Arms arms = Arms::from_rows({{1.0}, {-1.0}}).value();
  const int runs = 4'000;
  int negative = 0;
  for (int run = 0; run < runs; ++run) {
    LinEnsOptions options;
    options.models = 1;
    options.sigma = 1.0;
    Learning<LinEns> policy(arms, LinEns::create(arms, options));
    Rng rng(static_cast<std::uint64_t>(run));
    static_cast<void>(policy.select(rng));
    for (int pull = 0; pull < 100; ++pull) policy.update(0, pull % 20 == 0 ? 1.0 : 0.0);
    negative += policy.select(rng) == 1 ? 1 : 0;
  }
  // theta_1 ~ N(5 / 101, 1 / 101): P(theta_1 < 0) = Phi(-5 / sqrt(101)).
  const double p = 0.5 * std::erfc(5 / std::sqrt(101.0) / std::sqrt(2.0));
  EXPECT_NEAR(negative, runs * p, 5 * std::sqrt(runs * p * (1 - p)));
}

TEST(LinEns, RefusesNumbersThatCannotWork) {
  const Arms arms = normal_arms(3, 2, 1);
  LinEnsOptions options;
  options.models = 0;
  EXPECT_EQ(LinEns::create(arms, options).error().message,
            "linens: M must be between 1 and 1000000, got 0");
  options = {};
  options.sigma = 1e-200;  // its square is 0
  EXPECT_EQ(LinEns::create(arms, options).error().message,
            "linens: sigma must be between 1e-50 and 1e+50, got 1e-200");
}

}  // namespace
}  // namespace phe::test
