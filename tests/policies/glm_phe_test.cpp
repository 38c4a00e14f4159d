// Perturbed-history exploration with a generalised linear model against Section 3.3 to the letter:
// all rewards so far, all pseudo-rewards of the round, one long list.
#include "phe/glm_phe.hpp"

#include <cmath>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/pseudo_rewards.hpp"
#include "phe/registry.hpp"
#include "support/arms.hpp"
#include "support/glm_data.hpp"

namespace phe {
namespace {

using ::testing::HasSubstr;

constexpr double base = 64;

// The heads of each arm's flips. The policy draws only sum_i x_i U_i, but arm i is (1, base^i) with
// base larger than any count, so the second entry of that sum holds the U_i as digits.
std::vector<double> heads_of(std::span<const double> sums) {
  std::vector<double> heads(3);
  double digits = sums[1];
  for (std::size_t i = 3; i-- > 0;) {
    heads[i] = std::floor(digits / std::pow(base, static_cast<double>(i)));
    digits -= heads[i] * std::pow(base, static_cast<double>(i));
  }
  EXPECT_EQ(heads[0] + heads[1] + heads[2], sums[0]);
  return heads;
}

// Rewards are `reward_of(word)`, in [0, largest]; a pseudo-reward is 0 or the largest.
template <class Link, class RewardOf>
void expect_literal(double largest, RewardOf reward_of) {
  const Arms arms = Arms::from_rows({{1, 1}, {1, base}, {1, base * base}}).value();
  for (const double a : {0.5, 1.0, 2.0, 1.1}) {
    const GlmPheOptions options{.perturbation_scale = a,
                                .ridge = 0.05,
                                .stop = GlmStop::gradient,
                                .rewards = {0.0, largest}};
    auto policy = GlmPhe<Link>::create(arms, options).value();
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
        const auto heads = heads_of(twin.draw(rows, rng_twin));
        std::vector<test::Observation> list;
        for (ArmId i = 0; i < 3; ++i) {
          const auto row = test::row_of(arms, i);
          const std::vector<double> x(row.begin(), row.end());
          for (const double y : rewards[i]) list.push_back({x, y});
          for (std::uint64_t j = 0; j < scale.trials(rewards[i].size()); ++j)
            list.push_back({x, static_cast<double>(j) < heads[i] ? largest : 0.0});
        }
        const auto exact = test::SlowOf<Link>(list, 0.05).minimise(2);
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
      const double reward = reward_of(outcomes());
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

TEST(LogPhe, MinimisesTheLossOverTheFullListOfRewardsAndCoinFlips) {
  expect_literal<LogitLink>(1.0, [](std::uint64_t word) { return word % 3 == 0 ? 1.0 : 0.0; });
}
TEST(LogPhe, DoesSoForRewardsAnywhereBetweenZeroAndOne) {
  expect_literal<LogitLink>(1.0, [](std::uint64_t word) { return to_unit(word); });
}
TEST(PoisPhe, MinimisesTheLossOverTheFullListOfCountsAndPseudoCountsThatAreZeroOrTheLargest) {
  expect_literal<LogLink>(7.0, [](std::uint64_t word) { return static_cast<double>(word % 8); });
}
TEST(PoisPhe, DoesSoForRevenues) {
  expect_literal<LogLink>(2.5, [](std::uint64_t word) { return 2.5 * to_unit(word); });
}

TEST(PoisPhe, PullsTheSameArmsWhetherItStopsEarlyOrConverges) {
  const Registry registry = Registry::built_in();
  for (const char* problem : {"poisson:d=3,arms=40", "poisson:d=10", "poisson:d=5,radius=4"}) {
    const auto bandit = registry.problem(problem).value().problem->draw(StreamKey(3)).value();
    GlmPheOptions options{.perturbation_scale = 0.1, .rewards = bandit->reward_range()};
    auto early = PoisPhe::create(bandit->arms(), options).value();
    options.stop = GlmStop::gradient;
    auto late = PoisPhe::create(bandit->arms(), options).value();
    Rng early_rng(2);
    Rng late_rng(2);
    for (std::uint64_t t = 0; t < 1000; ++t) {
      const ArmId arm = early.select(early_rng);
      ASSERT_EQ(arm, late.select(late_rng)) << problem << ", round " << t;
      ASSERT_TRUE(t < bandit->arms().dimension() || late.last_fit().converged) << t;
      EXPECT_TRUE(early.update(arm, bandit->reward(t, arm)).ok());
      EXPECT_TRUE(late.update(arm, bandit->reward(t, arm)).ok());
    }
    EXPECT_LT(early.work().steps, late.work().steps);
  }
}

TEST(PoisPhe, ActsWhenNothingWasEverPaidAndThereIsNoRidge) {
  GlmPheOptions options{.perturbation_scale = 0.1, .ridge = 0.0, .rewards = {0.0, 5.0}};
  auto policy = PoisPhe::create(test::normal_arms(20, 4, 6), options).value();
  Rng rng(4);
  for (int t = 0; t < 300; ++t) {
    const ArmId arm = policy.select(rng);
    ASSERT_LT(arm, 20U);
    for (const double value : policy.estimate()) ASSERT_TRUE(std::isfinite(value)) << t;
    EXPECT_TRUE(policy.update(arm, 0.0).ok());
  }
  EXPECT_GT(policy.separable_fits(), 0U);
}

TEST(PoisPhe, RefusesRewardsThatNoExponentialCanBeTheMeanOf) {
  const Arms arms = test::normal_arms(5, 2, 1);
  for (const RewardRange range :
       {RewardRange{-1, 1}, RewardRange{1, 5}, RewardRange{0, 1e10}, RewardRange{0, 1e-4}})
    EXPECT_THAT(PoisPhe::create(arms, {.rewards = range}).error().message,
                HasSubstr("poisphe: with a log link rewards must lie in [0, M]"));
  const Registry registry = Registry::built_in();
  for (const char* spec : {"poisphe", "poists", "poiseps"})
    EXPECT_THAT(registry.policy(spec).value().make({arms, 100, {-1, 1}}).error().message,
                HasSubstr(": with a log link rewards must lie in [0, M]"));
}

TEST(PoisPhe, ContinuesFromAHistoryOfCounts) {
  const Arms arms = Arms::from_rows({{1, 0}, {0, 1}}).value();
  History history(2);
  history.add(0, 3e6, 1'000'000);
  history.add(1, 1e6, 1'000'000);
  const GlmPheOptions options{
      .perturbation_scale = 1.0, .stop = GlmStop::gradient, .rewards = {0.0, 10.0}};
  auto policy = PoisPhe::create(arms, options, history).value();
  Rng rng(5);
  policy.fit(rng);
  // Half of the observations are pseudo-rewards of mean 5, known to 5 / sqrt(10^6).
  EXPECT_NEAR(policy.estimate()[0], std::log(4.0), 0.01);
  EXPECT_NEAR(policy.estimate()[1], std::log(3.0), 0.01);
}

}  // namespace
}  // namespace phe
