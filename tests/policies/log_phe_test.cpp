#include "phe/log_phe.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/pseudo_rewards.hpp"
#include "phe/registry.hpp"
#include "problems/logistic.hpp"
#include "support/allocations.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"
#include "support/slow_logistic.hpp"

namespace phe {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<const Instance> instance(std::size_t dimension, std::uint64_t seed) {
  LogisticOptions options;
  options.dimension = dimension;
  return LogisticProblem::create(options).value().draw(StreamKey(seed)).value();
}

LogPhe make(const Arms& arms, double a, double ridge = 0.5,
            LogisticStop stop = LogisticStop::gradient) {
  LogPheOptions options;
  options.perturbation_scale = a;
  options.ridge = ridge;
  options.stop = stop;
  return LogPhe::create(arms, options).value();
}

// Section 3.3 to the letter: all rewards so far, all coin flips of the round, one long list.
//
// The policy draws only sum_i x_i U_i. The features here are such that the U_i can be read off that
// sum: arm i is (1, B^i) with B larger than any count, so its second entry holds the U_i as digits.
TEST(LogPhe, MinimisesTheLossOverTheFullListOfRewardsAndCoinFlips) {
  constexpr double base = 64;
  const Arms arms = Arms::from_rows({{1, 1}, {1, base}, {1, base * base}}).value();
  for (const double a : {0.5, 1.0, 2.0, 1.1}) {
    // The features as the model sees them are scaled to a sane size by the ridge alone.
    LogPhe policy = make(arms, a, 0.05);
    const auto scale = PerturbationScale::from(a).value();
    // Rows stand in the order of their first pulls.
    Rows rows(2);
    PseudoRewards twin(scale, 2, PseudoRewards::Kind::repeated, 3);
    std::map<ArmId, RowId> row_of_arm;
    Rng rng(11);
    Rng outcomes(12);
    std::vector<std::vector<double>> rewards(3);
    for (int round = 0; round < 40; ++round) {
      Rng rng_twin = rng;
      const ArmId arm = policy.select(rng);
      if (round >= 2) {
        const auto sums = twin.draw(rows, rng_twin);
        std::vector<test::Observation> list;
        double digits = sums[1];
        double flips = 0;
        for (ArmId i = 3; i-- > 0;) {
          const double place = i == 0 ? 1 : i == 1 ? base : base * base;
          const double heads = std::floor(digits / place);
          digits -= heads * place;
          flips += heads;
          const auto row = test::row_of(arms, i);
          const std::vector<double> x(row.begin(), row.end());
          for (const double y : rewards[i]) list.push_back({x, y});
          for (std::uint64_t j = 0; j < scale.trials(rewards[i].size()); ++j)
            list.push_back({x, static_cast<double>(j) < heads ? 1.0 : 0.0});
        }
        ASSERT_EQ(flips, sums[0]);
        const auto exact = test::SlowLogistic(list, 0.05).minimise(2);
        ASSERT_TRUE(policy.last_fit().converged);
        std::vector<double> scores;
        for (ArmId i = 0; i < 3; ++i) {
          const auto row = test::row_of(arms, i);
          scores.push_back(static_cast<double>(row.cast<long double>().dot(exact)));
          const Eigen::Map<const Eigen::VectorXd> theta(policy.estimate().data(), 2);
          EXPECT_NEAR(row.dot(theta), scores.back(), 1e-4 * (1 + std::abs(scores.back())));
        }
        EXPECT_GE(scores[arm], *std::ranges::max_element(scores) - 1e-4);
      }
      const double reward = outcomes() % 3 == 0 ? 1.0 : 0.0;
      // Few enough pulls of each arm for the digits not to overflow.
      const ArmId pulled = round < 2 ? arm : static_cast<ArmId>(round % 3);
      EXPECT_TRUE(policy.update(pulled, reward).ok());
      rewards[pulled].push_back(reward);
      const auto [row, is_new] = row_of_arm.try_emplace(pulled, static_cast<RowId>(rows.size()));
      if (is_new) rows.append(std::vector{arms.at(pulled, 0), arms.at(pulled, 1)});
      twin.add_pulls(row->second, 1);
    }
  }
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
      LogPhe early = make(bandit->arms(), 1.0, ridge, LogisticStop::arm);
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
  LogPhe policy = make(bandit->arms(), 0.1, 0.0, LogisticStop::arm);
  Rng rng(4);
  for (std::uint64_t t = 0; t < 500; ++t) {
    const ArmId arm = policy.select(rng);
    ASSERT_LT(arm, 100u);
    for (const double value : policy.estimate()) ASSERT_TRUE(std::isfinite(value));
    const LogisticFit& fit = policy.last_fit();
    ASSERT_TRUE(t < 10 || fit.converged || fit.arm_certain || fit.separable);
    EXPECT_TRUE(policy.update(arm, bandit->reward(t, arm)).ok());
  }
  EXPECT_GT(policy.separable_fits(), 0u);  // each arm has one pseudo-reward, so often all agree
  EXPECT_LT(policy.separable_fits(), 250u);
}

TEST(LogPhe, LearnsWhereTheBestArmIs) {
  const auto bandit = instance(5, 5);
  LogPhe policy = make(bandit->arms(), 0.5, 0.5, LogisticStop::arm);
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
  options.stop = LogisticStop::gradient;
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
    LogPhe policy = make(bandit->arms(), 1.0, ridge, LogisticStop::arm);
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
    LogPhe policy = make(bandit->arms(), 1.1, 0.5, LogisticStop::arm);
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

TEST(LogPhe, RefusesAHistoryOfRewardsThatAreNotBinary) {
  const Arms arms = test::normal_arms(5, 2, 1);
  History history(5);
  history.add(2, 1.5, 3);
  EXPECT_THAT(LogPhe::create(arms, {}, history).error().message,
              HasSubstr("history, row 2: 3 rewards that are 0 or 1 cannot add up to 1.5"));
  EXPECT_THAT(LogPhe::create(arms, {}, History(4)).error().message, HasSubstr("4 rows"));
  History large(5);
  large.add(1, 7.0, std::uint64_t{1} << 45);
  EXPECT_THAT(LogPhe::create(arms, {}, large).error().message, HasSubstr("at most 2^40"));
}

TEST(LogPhe, RefusesAProblemWhoseRewardsAreNotBinary) {
  const Registry registry = Registry::built_in();
  const auto spec = registry.policy("logphe:a=1").value();
  const Arms arms = test::normal_arms(5, 2, 1);
  EXPECT_THAT(spec.make({arms, 100, {}, false}).error().message,
              HasSubstr("logphe: a logistic model needs rewards that are 0 or 1"));
  EXPECT_TRUE(spec.make({arms, 100, {}, true}).ok());
  const auto beta = registry.problem("linear:d=3,rewards=beta").value();
  EXPECT_FALSE(beta.problem->draw(StreamKey(1)).value()->binary_rewards());
  const auto bernoulli = registry.problem("linear:d=3").value();
  EXPECT_TRUE(bernoulli.problem->draw(StreamKey(1)).value()->binary_rewards());
}

}  // namespace
}  // namespace phe
