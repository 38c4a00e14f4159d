#include "phe/log_phe.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/glm.hpp"
#include "support/allocations.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<const Instance> instance(std::size_t dimension, std::uint64_t seed) {
  GlmProblemOptions options;
  options.dimension = dimension;
  return GlmProblem::create(options).value().draw(StreamKey(seed)).value();
}

LogPhe make(const Arms& arms, double a, double ridge = 0.5, GlmStop stop = GlmStop::gradient) {
  LogPheOptions options;
  options.perturbation_scale = a;
  options.ridge = ridge;
  options.stop = stop;
  return LogPhe::create(arms, options).value();
}

TEST(LogPhe, PullsTheLastArmsFirst) {
  const auto bandit = instance(4, 1);
  LogPhe policy = make(bandit->arms(), 1.0);
  Rng rng(1);
  for (ArmId t = 1; t <= 4; ++t) {
    const ArmId arm = policy.select(rng);
    EXPECT_EQ(arm, 100 - t);
    EXPECT_TRUE(policy.update(arm, 1.0).ok());
  }
}

TEST(LogPhe, PullsTheSameArmsWhetherItStopsEarlyOrConverges) {
  for (const double ridge : {0.5, 0.0})
    for (const std::size_t dimension : {3, 10}) {
      const auto bandit = instance(dimension, dimension);
      LogPhe early = make(bandit->arms(), 1.0, ridge, GlmStop::arm);
      LogPhe late = make(bandit->arms(), 1.0, ridge);
      Rng early_rng(2);
      Rng late_rng(2);
      for (std::uint64_t t = 0; t < 2000; ++t) {
        const ArmId arm = early.select(early_rng);
        ASSERT_EQ(arm, late.select(late_rng)) << "round " << t << ", ridge " << ridge;
        EXPECT_TRUE(early.update(arm, bandit->reward(t, arm)).ok());
        EXPECT_TRUE(late.update(arm, bandit->reward(t, arm)).ok());
      }
      EXPECT_LT(early.work().steps, late.work().steps);
      // 1 to 3 exponentials a row and round, and a fresh Hessian in a few rounds only.
      const auto fits = static_cast<double>(late.work().fits);
      EXPECT_LT(static_cast<double>(late.work().steps), (ridge > 0 ? 4.5 : 8) * fits);
      EXPECT_LT(static_cast<double>(late.work().newton_steps), (ridge > 0 ? 0.02 : 3) * fits);
    }
}

TEST(LogPhe, ActsAndReportsWhenMaximumLikelihoodHasNoMaximum) {
  const auto bandit = instance(10, 3);
  LogPhe policy = make(bandit->arms(), 0.1, 0.0, GlmStop::arm);
  Rng rng(4);
  for (std::uint64_t t = 0; t < 500; ++t) {
    const ArmId arm = policy.select(rng);
    ASSERT_LT(arm, 100u);
    for (const double value : policy.estimate()) ASSERT_TRUE(std::isfinite(value));
    const GlmFit& fit = policy.last_fit();
    ASSERT_TRUE(t < 10 || fit.converged || fit.arm_certain || fit.separable);
    EXPECT_TRUE(policy.update(arm, bandit->reward(t, arm)).ok());
  }
  EXPECT_GT(policy.separable_fits(), 0u);  // each arm has one pseudo-reward, so often all agree
  EXPECT_LT(policy.separable_fits(), 250u);
}

TEST(LogPhe, LearnsWhereTheBestArmIs) {
  const auto bandit = instance(5, 5);
  LogPhe policy = make(bandit->arms(), 0.5, 0.5, GlmStop::arm);
  Rng rng(6);
  double regret = 0.0;
  for (std::uint64_t t = 0; t < 4000; ++t) {
    const ArmId arm = policy.select(rng);
    EXPECT_TRUE(policy.update(arm, bandit->reward(t, arm)).ok());
    regret += bandit->gap(arm);
  }
  double mean_gap = 0.0;  // what pulling at random would cost a round
  for (ArmId arm = 0; arm < 100; ++arm) mean_gap += bandit->gap(arm) / 100;
  EXPECT_LT(regret, 0.15 * 4000 * mean_gap);
}

TEST(LogPhe, ContinuesFromAHistoryAsIfItHadMadeIt) {
  const auto bandit = instance(5, 7);
  LogPhe first = make(bandit->arms(), 2.0);
  Rng rng(8);
  for (std::uint64_t t = 0; t < 300; ++t) {
    const ArmId arm = first.select(rng);
    EXPECT_TRUE(first.update(arm, bandit->reward(t, arm)).ok());
  }
  LogPheOptions options;
  options.perturbation_scale = 2.0;
  options.stop = GlmStop::gradient;
  LogPhe second = LogPhe::create(bandit->arms(), options, first.history()).value();
  EXPECT_EQ(second.history(), first.history());
  // The same law of theta-tilde: its mean over many rounds agrees within 5 standard errors.
  double mean[2] = {};
  double square[2] = {};
  constexpr int rounds = 2000;
  for (int i = 0; i < rounds; ++i) {
    int which = 0;
    for (LogPhe* policy : {&first, &second}) {
      policy->fit(rng);
      mean[which] += policy->estimate()[0];
      square[which++] += policy->estimate()[0] * policy->estimate()[0];
    }
  }
  double variance = 0.0;
  for (int which = 0; which < 2; ++which) {
    mean[which] /= rounds;
    variance += (square[which] / rounds - mean[which] * mean[which]) / rounds;
  }
  EXPECT_NEAR(mean[0], mean[1], 5 * std::sqrt(variance));
}

TEST(LogPhe, NeverAllocatesInARound) {
  const auto bandit = instance(10, 9);
  for (const double ridge : {0.5, 0.0}) {
    LogPhe policy = make(bandit->arms(), 1.0, ridge, GlmStop::arm);
    Rng rng(10);
    policy.fit(rng);  // the tables of the binomial sampler are made at the first use
    const std::size_t before = test::allocations();
    for (std::uint64_t t = 0; t < 1000; ++t) {
      const ArmId arm = policy.select(rng);
      EXPECT_TRUE(policy.update(arm, bandit->reward(t, arm)).ok());
    }
    EXPECT_EQ(test::allocations(), before);
  }
}

TEST(LogPhe, PullsTheSameArmsOnEveryTarget) {
  const auto bandit = instance(9, 11);
  std::vector<std::vector<ArmId>> runs;
  test::on_every_target([&] {
    LogPhe policy = make(bandit->arms(), 1.1, 0.5, GlmStop::arm);
    Rng rng(12);
    std::vector<ArmId> arms;
    std::vector<double> estimates;
    for (std::uint64_t t = 0; t < 500; ++t) {
      arms.push_back(policy.select(rng));
      EXPECT_TRUE(policy.update(arms.back(), bandit->reward(t, arms.back())).ok());
    }
    runs.push_back(arms);
  });
  for (const auto& run : runs) EXPECT_EQ(run, runs.front());
}

TEST(LogPhe, RefusesBadOptions) {
  const Arms arms = test::normal_arms(5, 2, 1);
  const auto message = [&](auto change) {
    LogPheOptions options;
    change(options);
    const auto policy = LogPhe::create(arms, options);
    return policy ? std::string("none") : policy.error().message;
  };
  EXPECT_THAT(message([](auto& o) { o.ridge = -0.5; }), HasSubstr("logphe: ridge must be >= 0"));
  EXPECT_THAT(message([](auto& o) { o.perturbation_scale = 0; }), HasSubstr("perturbation scale"));
  EXPECT_THAT(message([](auto& o) { o.rewards = {1, 0}; }), HasSubstr("low < high"));
  const Arms huge = Arms::from_rows({{1, 1e150}, {2, 1}}).value();
  EXPECT_THAT(LogPhe::create(huge).error().message, HasSubstr("features must be at most 1e+100"));
}

TEST(LogPhe, RefusesAHistoryThatItsRangeCannotHave) {
  const Arms arms = test::normal_arms(5, 2, 1);
  History history(5);
  history.add(2, 3.5, 3);
  EXPECT_THAT(LogPhe::create(arms, {}, history).error().message,
              HasSubstr("history, row 2: 3 rewards in [0, 1] cannot add up to 3.5"));
  EXPECT_THAT(LogPhe::create(arms, {}, History(4)).error().message, HasSubstr("4 rows"));
  History large(5);
  large.add(1, 7.0, std::uint64_t{1} << 45);
  EXPECT_THAT(LogPhe::create(arms, {}, large).error().message, HasSubstr("at most 2^40"));
}

}  // namespace
}  // namespace phe
