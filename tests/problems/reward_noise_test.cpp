#include "problems/reward_noise.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe {
namespace {

using ::testing::Combine;
using ::testing::Values;

constexpr std::size_t count = test::draws(200'000, 20'000);
constexpr auto n = static_cast<double>(count);

std::vector<double> sample(const RewardNoise& noise, double mean) {
  std::vector<double> rewards(count);
  for (std::size_t t = 0; t < count; ++t)
    rewards[t] = noise.reward(mean, t / 10, static_cast<ArmId>(t % 10));
  return rewards;
}

class BernoulliLaw : public ::testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Means, BernoulliLaw, Values(0.0, 0.01, 0.3, 0.5, 0.95, 1.0));

TEST_P(BernoulliLaw, RewardsAreZeroOrOneWithTheGivenMean) {
  const double mean = GetParam();
  const auto rewards = sample(RewardNoise(RewardLaw::bernoulli, 1, StreamKey(141)), mean);
  for (const double reward : rewards) ASSERT_TRUE(reward == 0.0 || reward == 1.0);
  EXPECT_NEAR(test::mean(rewards), mean, 5 * std::sqrt(mean * (1 - mean) / n));
}

class BetaLaw : public ::testing::TestWithParam<std::tuple<double, double>> {};

INSTANTIATE_TEST_SUITE_P(Laws, BetaLaw,
                         Combine(Values(0.001, 0.1, 0.5, 0.8), Values(0.01, 0.5, 1.0, 4.0, 100.0)));

TEST_P(BetaLaw, RewardsHaveItsMeanVarianceAndRange) {
  const auto [mean, c] = GetParam();
  const auto rewards = sample(RewardNoise(RewardLaw::beta, c, StreamKey(142)), mean);
  for (const double reward : rewards) {
    ASSERT_GE(reward, 0.0);
    ASSERT_LE(reward, 1.0);
  }
  const double variance = mean * (1 - mean) / (c + 1);
  EXPECT_NEAR(test::mean(rewards), mean, 5 * std::sqrt(variance / n));
  // The error of a variance follows from the excess kurtosis: with a = c mean and b = c - a it is
  // 6 ((a - b)^2 (c + 1) - a b (c + 2)) / (a b (c + 2) (c + 3)).
  const double a = mean * c;
  const double b = c - a;
  const double excess =
      6 * ((a - b) * (a - b) * (c + 1) - a * b * (c + 2)) / (a * b * (c + 2) * (c + 3));
  EXPECT_NEAR(test::covariance(rewards, rewards), variance,
              5 * variance * std::sqrt((2 + excess) / n) + 1e-12);
}

TEST(BetaRewards, AreUniformAtConcentrationTwoAndMeanOneHalf) {
  const auto rewards = sample(RewardNoise(RewardLaw::beta, 2, StreamKey(143)), 0.5);
  std::vector<double> counts(100);
  for (const double reward : rewards)
    ++counts[std::min<std::size_t>(static_cast<std::size_t>(reward * 100), 99)];
  EXPECT_GT(test::uniform_p_value(counts), 1e-6);
}

TEST(BetaRewards, AreTheirMeanAtTheEndsOfTheRange) {
  const RewardNoise noise(RewardLaw::beta, 4, StreamKey(144));
  for (std::uint64_t t = 0; t < 100; ++t) {
    EXPECT_EQ(noise.reward(0.0, t, 0), 0.0);
    EXPECT_EQ(noise.reward(1.0, t, 0), 1.0);
  }
}

TEST(RewardNoise, RoundsAndArmsAreUncorrelated) {
  const RewardNoise noise(RewardLaw::beta, 4, StreamKey(145));
  std::vector<double> here(count);
  std::vector<double> next_round(count);
  std::vector<double> next_arm(count);
  for (std::size_t t = 0; t < count; ++t) {
    here[t] = noise.reward(0.4, t, 3);
    next_round[t] = noise.reward(0.4, t + 1, 3);
    next_arm[t] = noise.reward(0.4, t, 4);
  }
  EXPECT_LT(std::abs(test::correlation(here, next_round)), 5 / std::sqrt(n));
  EXPECT_LT(std::abs(test::correlation(here, next_arm)), 5 / std::sqrt(n));
}

}  // namespace
}  // namespace phe
