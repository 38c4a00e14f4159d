#include "phe/lin_phe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"
#include "support/statistics.hpp"

namespace phe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A reward in [0, 1] that depends on the round and the arm alone.
double reward_of(std::uint64_t round, ArmId arm) {
  return to_unit(StreamKey(7).with(round).with(std::uint64_t{arm}).value());
}

std::vector<ArmId> play(Policy& policy, Rng& rng, std::uint64_t rounds) {
  std::vector<ArmId> arms;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    arms.push_back(policy.select(rng));
    EXPECT_TRUE(policy.update(arms.back(), reward_of(t, arms.back())).ok());
  }
  return arms;
}

std::vector<ArmId> play(const Arms& arms, std::uint64_t seed, std::uint64_t rounds = 300) {
  auto policy = LinPhe::create(arms, {.perturbation_scale = 1}).value();
  Rng rng(seed);
  return play(policy, rng, rounds);
}

std::string error_of(const Result<LinPhe>& result) {
  return result ? "no error" : result.error().message;
}

TEST(LinPhe, FirstRoundsPullTheBasisInThePapersOrder) {
  const Arms arms = test::normal_arms(12, 5, 1);
  const auto pulled = play(arms, 1, 5);
  EXPECT_EQ(pulled, (std::vector<ArmId>{11, 10, 9, 8, 7}));
}

TEST(LinPhe, FirstRoundsPullAnotherBasisWhenTheLastArmsAreDependent) {
  const auto arms = Arms::from_rows({{0, 1}, {1, 0}, {2, 0}, {3, 0}}).value();
  const auto pulled = play(arms, 1, 2);
  EXPECT_EQ(pulled, arms.basis().value());
  EXPECT_THAT(pulled, testing::UnorderedElementsAre(0, 3));
}

TEST(LinPhe, ArmsThatDoNotSpanArePlayedAfterAsManyPullsAsTheirRank) {
  const auto arms = Arms::from_rows({{1, 1}, {2, 2}, {3, 3}}).value();
  auto policy = LinPhe::create(arms).value();
  Rng rng(1);
  for (const ArmId arm : play(policy, rng, 100)) EXPECT_LT(arm, 3U);
  EXPECT_EQ(policy.history().total_pulls(), 100U);
}

TEST(LinPhe, AnArmPulledUnaskedIsNotPulledAgainForTheBasis) {
  const Arms arms = test::normal_arms(5, 2, 2);
  auto policy = LinPhe::create(arms).value();
  Rng rng(1);
  EXPECT_TRUE(policy.update(4, 0.5).ok());
  EXPECT_EQ(policy.select(rng), 3U);
}

TEST(LinPhe, SameSeedSameActionsOtherSeedOthers) {
  const Arms arms = test::normal_arms(20, 4, 3);
  EXPECT_EQ(play(arms, 5), play(arms, 5));
  EXPECT_NE(play(arms, 5), play(arms, 6));
}

TEST(LinPhe, ActionsAreTheSameOnEverySimdTarget) {
  for (const std::size_t dimension : {1, 2, 5, 8, 9, 20}) {
    const Arms arms = test::normal_arms(33, dimension, 4);
    const auto expected = play(arms, 8, 500);
    test::on_every_target([&] { EXPECT_EQ(play(arms, 8, 500), expected); });
  }
}

TEST(LinPhe, ACopyDrawsFromItsOwnRngAndLeavesTheOriginalAlone) {
  const Arms arms = test::normal_arms(20, 4, 5);
  auto policy = LinPhe::create(arms, {.perturbation_scale = 2}).value();
  Rng rng(9);
  play(policy, rng, 40);  // there are rounds drawn ahead now
  LinPhe one = policy;
  LinPhe same = policy;
  LinPhe other = policy;
  Rng first(10);
  Rng again(10);
  Rng second(11);
  bool differed = false;
  for (int i = 0; i < 50; ++i) {
    one.fit(first);
    same.fit(again);
    other.fit(second);
    ASSERT_TRUE(std::ranges::equal(one.estimate(), same.estimate()));
    differed = differed || !std::ranges::equal(one.estimate(), other.estimate());
    if (i == 0) {  // from the very first draw on
      ASSERT_TRUE(differed);
    }
  }
  // What copies did is nothing to the original: it goes on as one that was never copied.
  auto alone = LinPhe::create(arms, {.perturbation_scale = 2}).value();
  Rng alone_rng(9);
  play(alone, alone_rng, 40);
  EXPECT_EQ(play(policy, rng, 100), play(alone, alone_rng, 100));
}

TEST(LinPhe, TiesBetweenEqualArmsAreBrokenWithoutBias) {
  for (const std::size_t count : {2, 5, 13}) {
    const auto arms = Arms::generate(count, 1, [](auto, auto) { return 1.0; }).value();
    auto policy = LinPhe::create(arms).value();
    Rng rng(11);
    EXPECT_TRUE(policy.update(policy.select(rng), 0.5).ok());
    std::vector<double> chosen(count);
    for (int i = 0; i < 100'000; ++i) ++chosen[policy.select(rng)];
    EXPECT_GT(test::uniform_p_value(chosen), 1e-6) << count;
  }
}

TEST(LinPhe, TiesAmongSomeArmsNeverLeaveThem) {
  // Arms 1, 4 and 6 are the same and always paid 1, the others always 0.
  const auto good = [](ArmId arm) { return arm == 1 || arm == 4 || arm == 6; };
  const auto arms = Arms::generate(9, 2, [&](std::size_t arm, std::size_t feature) {
                      return feature == 1 || good(static_cast<ArmId>(arm)) ? 1.0 : 0.0;
                    }).value();
  History history(9);
  for (ArmId arm = 0; arm < 9; ++arm) history.add(arm, good(arm) ? 100'000 : 0, 100'000);
  auto policy = LinPhe::create(arms, {}, history).value();
  Rng rng(12);
  std::vector<double> chosen(9);
  for (int i = 0; i < 30'000; ++i) ++chosen[policy.select(rng)];
  const std::vector<double> best = {chosen[1], chosen[4], chosen[6]};
  EXPECT_EQ(best[0] + best[1] + best[2], 30'000);
  EXPECT_GT(test::uniform_p_value(best), 1e-6);
}

TEST(LinPhe, NeitherSelectNorUpdateAllocates) {
  for (const std::size_t dimension : {3, 20}) {
    const Arms arms = test::normal_arms(100, dimension, 6);
    // A small ridge makes the model factorise anew, too.
    auto policy = LinPhe::create(arms, {.perturbation_scale = 1.5, .ridge = 1e-6}).value();
    Rng rng(13);
    const std::size_t before = test::allocations();
    for (std::uint64_t t = 0; t < 10'000; ++t) {
      const ArmId arm = policy.select(rng);
      EXPECT_TRUE(policy.update(arm, reward_of(t, arm)).ok());
    }
    EXPECT_EQ(test::allocations(), before) << dimension;
  }
}

TEST(LinPhe, HistoryHoldsThePullsAndTheRewardsAsTheyCame) {
  const Arms arms = test::normal_arms(4, 2, 7);
  auto policy = LinPhe::create(arms, {.rewards = {-2, 3}}).value();
  EXPECT_TRUE(policy.update(1, -2).ok());
  EXPECT_TRUE(policy.update(1, 3).ok());
  EXPECT_TRUE(policy.update(2, 0.5).ok());
  EXPECT_EQ(policy.history().pulls(1), 2U);
  EXPECT_EQ(policy.history().reward_sum(1), 1.0);
  EXPECT_EQ(policy.history().reward_sum(2), 0.5);
}

TEST(LinPhe, RewardsAtTheEndsOfTheRangeCountAsZeroAndOne) {
  // One arm x = 1 with T pulls of reward y: theta = (T y + U) / ((a + 1) (T + ridge)), 0 <= U <= T.
  const auto arms = Arms::from_rows({{1.0}}).value();
  constexpr double ridge = 0.25;
  for (const auto& [reward, unit] : {std::pair{-2.0, 0.0}, {3.0, 1.0}, {0.5, 0.5}}) {
    auto policy =
        LinPhe::create(arms, {.perturbation_scale = 1, .ridge = ridge, .rewards = {-2, 3}}).value();
    for (int t = 0; t < 8; ++t) EXPECT_TRUE(policy.update(0, reward).ok());
    Rng rng(14);
    for (int i = 0; i < 1000; ++i) {
      policy.fit(rng);
      const double sum = policy.estimate()[0] * 2 * (8 + ridge) - 8 * unit;
      ASSERT_NEAR(sum, std::round(sum), 1e-12);
      ASSERT_GE(std::round(sum), 0);
      ASSERT_LE(std::round(sum), 8);
    }
  }
}

TEST(LinPhe, BadOptionsAreRefusedByNameAndValue) {
  const Arms arms = test::normal_arms(4, 2, 8);
  for (const double ridge : {0.0, -1.0, nan, infinity})
    EXPECT_THAT(error_of(LinPhe::create(arms, {.ridge = ridge})),
                HasSubstr("linphe: ridge must be > 0"));
  EXPECT_THAT(error_of(LinPhe::create(arms, {.ridge = -1})), HasSubstr("got -1"));
  for (const double a : {0.0, -1.0, nan, infinity, 1e7})
    EXPECT_THAT(error_of(LinPhe::create(arms, {.perturbation_scale = a})),
                HasSubstr("linphe: perturbation scale a must be between 1e-06 and 1e+06"));
  for (const RewardRange range :
       {RewardRange{1, 1}, RewardRange{1, 0}, RewardRange{nan, 1}, RewardRange{0, infinity},
        RewardRange{-infinity, 0}, RewardRange{-1.7e308, 1.7e308}})
    EXPECT_THAT(error_of(LinPhe::create(arms, {.rewards = range})),
                HasSubstr("linphe: the reward range must be finite with low < high"));
}

TEST(LinPhe, AHistoryThatCannotBeIsRefusedByRow) {
  const Arms arms = test::normal_arms(4, 2, 9);
  EXPECT_THAT(error_of(LinPhe::create(arms, {}, History(3))),
              AllOf(HasSubstr("3 rows"), HasSubstr("4 arms")));
  History high(4);
  high.add(2, 5.0, 4);
  EXPECT_THAT(error_of(LinPhe::create(arms, {}, high)),
              AllOf(HasSubstr("row 2"), HasSubstr("4 rewards in [0, 1]"), HasSubstr("5")));
  History low(4);
  low.add(0, -1.0, 4);
  EXPECT_FALSE(LinPhe::create(arms, {}, low).ok());
  EXPECT_TRUE(LinPhe::create(arms, {.rewards = {-1, 1}}, low).ok());
  History unpulled(4);
  unpulled.add(1, 0.5, 0);
  EXPECT_FALSE(LinPhe::create(arms, {}, unpulled).ok());
  History huge(4);
  huge.add(3, 0.0, std::uint64_t{1} << 41);
  EXPECT_THAT(error_of(LinPhe::create(arms, {.perturbation_scale = 1}, huge)),
              AllOf(HasSubstr("row 3"), HasSubstr("2^40")));
}

TEST(LinPhe, FeaturesWhoseSquaresOverflowAreRefusedByRowAndColumn) {
  const auto arms = Arms::from_rows({{1, 2}, {3, 1e160}}).value();
  EXPECT_THAT(error_of(LinPhe::create(arms)),
              AllOf(HasSubstr("row 2, column 2"), HasSubstr("1e+160")));
}

TEST(LinPhe, FeaturesAndRidgesOfAnySizeChooseArmsThatExist) {
  for (const double scale : {1e-160, 1e-100, 1e-8, 1e8, 1e100})
    for (const double ridge : {1e-300, 1e-20, 1.0, 1e20, 1e100}) {
      const Arms unscaled = test::normal_arms(13, 3, 10);
      const auto arms = Arms::generate(13, 3, [&](std::size_t k, std::size_t j) {
                          return scale * std::clamp(unscaled.at(static_cast<ArmId>(k), j), -1., 1.);
                        }).value();
      auto policy = LinPhe::create(arms, {.ridge = ridge}).value();
      Rng rng(15);
      for (const ArmId arm : play(policy, rng, 300)) ASSERT_LT(arm, 13U) << scale << ' ' << ridge;
      for (const double theta : policy.estimate()) ASSERT_TRUE(std::isfinite(theta));
    }
}

}  // namespace
}  // namespace phe
