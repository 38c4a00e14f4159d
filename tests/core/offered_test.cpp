#include "core/offered.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/best_arm.hpp"
#include "kernels/score_arms.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe {
namespace {

using ::testing::Combine;
using ::testing::Values;

ArmId plain_best(const Arms& arms, std::span<const double> theta, Rng& rng) {
  std::vector<double> scores(arms.view().padded_arms());
  kernels::scalar::score_arms(arms.view(), theta, scores);
  return best_arm(scores, rng);
}

class ScoringArms : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

// One page, several pages, from memory, and screened.
INSTANTIATE_TEST_SUITE_P(Sizes, ScoringArms,
                         Combine(Values(1, 7, 9, 100, 2048, 2049, 5000, 10'001),
                                 Values(1, 5, 20, 33)));

// With all of them NaN or -infinity, no padding may win.
TEST_P(ScoringArms, AnArmThatExistsIsChosenWhenNoScoreIsANumber) {
  const auto [arms, dimension] = GetParam();
  const auto x = Arms::generate(arms, dimension, [](std::size_t, std::size_t) { return 1.0; });
  Offered scorer(x.value());
  Rng rng(4);
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    const std::vector<double> theta(dimension, value);
    EXPECT_EQ(scorer.best(theta, rng), 0U);
    EXPECT_EQ(plain_best(x.value(), theta, rng), 0U);
  }
}

TEST_P(ScoringArms, TheBestArmIsThatOfAPlainPassOnEveryTarget) {
  const auto [arms, features] = GetParam();
  const std::size_t dimension = features;  // a lambda cannot take a binding along everywhere
  const Arms x = test::normal_arms(arms, dimension, 1);
  test::on_every_target([&] {
    Offered scorer(x);
    Rng rng(2);
    for (int repetition = 0; repetition < 5; ++repetition) {
      const auto theta = test::normal_vector(dimension, rng);
      Rng ours(3);
      Rng theirs(3);
      EXPECT_EQ(scorer.best(theta, ours), plain_best(x, theta, theirs));
      EXPECT_EQ(ours(), theirs());  // and as much randomness was used
    }
  });
}

TEST_P(ScoringArms, TiesAreBrokenAsByAPlainPass) {
  const auto [arms, dimension] = GetParam();
  // Few distinct rows, so that whole groups of arms tie, over pages and among candidates.
  const auto x = Arms::generate(arms, dimension, [&](std::size_t k, std::size_t j) {
                   return k % 997 == 3 ? 1.0 : static_cast<double>((k * 7 + j) % 5) * 0.1;
                 }).value();
  Offered scorer(x);
  const std::vector<double> theta(dimension, 0.25);
  const std::vector<double> zero(dimension, 0.0);
  Rng ours(4);
  Rng theirs(4);
  for (int repetition = 0; repetition < 20; ++repetition) {
    EXPECT_EQ(scorer.best(theta, ours), plain_best(x, theta, theirs));
    EXPECT_EQ(scorer.best(zero, ours), plain_best(x, zero, theirs));
    EXPECT_EQ(scorer.best_of_all(theta, ours), plain_best(x, theta, theirs));
  }
}

TEST(Offered, EachOfTwoTiedArmsIsTakenHalfOfTheTime) {
  const auto x = Arms::generate(12'000, 4, [](std::size_t k, std::size_t) {
                   return k == 5 || k == 11'003 ? 1.0 : 0.5;
                 }).value();
  Offered scorer(x);
  Rng rng(5);
  std::map<ArmId, int> taken;
  constexpr int draws = 2000;
  for (int i = 0; i < draws; ++i) ++taken[scorer.best(std::vector<double>(4, 1.0), rng)];
  EXPECT_EQ(taken.size(), 2U);
  // Five standard deviations of B(2000, 1/2), 22.4 each.
  EXPECT_NEAR(taken[5], draws / 2, 5 * 22.4);
  EXPECT_EQ(taken[5] + taken[11'003], draws);
}

// The actions of a round, as a caller hands them over.
std::vector<double> flat(const Arms& arms) {
  std::vector<double> rows;
  for (ArmId arm = 0; arm < arms.size(); ++arm)
    for (std::size_t j = 0; j < arms.dimension(); ++j) rows.push_back(arms.at(arm, j));
  return rows;
}

TEST(Offered, ARoundsActionsAreChosenFromAsFixedArmsAre) {
  Offered offered(Arms::none(5));
  Rng rng(1);
  // Fewer and more actions than in the round before, and more than a page of them.
  for (const std::size_t count : {30, 7, 8, 1, 100, 5000, 9, 3000}) {
    const Arms arms = test::normal_arms(count, 5, count);
    const auto features = flat(arms);
    ASSERT_TRUE(offered.offer(Actions::rows(count, features)).ok());
    EXPECT_EQ(offered.size(), count);
    for (int repetition = 0; repetition < 5; ++repetition) {
      const auto theta = test::normal_vector(5, rng);
      Rng ours(3);
      Rng theirs(3);
      EXPECT_EQ(offered.best(theta, ours), plain_best(arms, theta, theirs)) << count;
    }
    // All are equally good: none may be chosen that is not there.
    const std::vector<double> zero(5);
    for (int repetition = 0; repetition < 20; ++repetition)
      EXPECT_LT(offered.best(zero, rng), count);
  }
}

TEST(Offered, RefusesWhatCannotBeOfferedByName) {
  Offered offered(Arms::none(2));
  const auto message = [&](const Actions& actions) {
    return offered.offer(actions).error().message;
  };
  const std::vector<double> four = {1, 2, 3, 4};
  EXPECT_EQ(message(Actions::rows(0, {})), "actions: there must be at least 1, got none");
  EXPECT_EQ(message(Actions::rows(3, four)),
            "actions: 3 actions of 2 features need 6 numbers, got 4");
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t place = 0; place < 10; ++place) {
      std::vector<double> features(10, 1.0);
      features[place] = bad;
      const std::string text = message(Actions::rows(5, features));
      EXPECT_THAT(text, ::testing::HasSubstr("action " + std::to_string(place / 2) + ", feature " +
                                             std::to_string(place % 2)));
    }
}

TEST(Offered, ActionsAreTheSameRowByRowAndFeatureByFeature) {
  const Arms arms = test::normal_arms(21, 3, 5);
  const auto features = flat(arms);
  Offered offered(Arms::none(3));
  ASSERT_TRUE(offered.offer(Actions::rows(21, features)).ok());
  Rng rng(1);
  const auto theta = test::normal_vector(3, rng);
  const ArmId by_row = offered.best(theta, rng);
  for (ArmId arm = 0; arm < 21; ++arm)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(offered.view().feature(j)[arm], arms.at(arm, j));
  EXPECT_EQ(offered.best(theta, rng), by_row);
}

TEST(Offered, AClosedRoundDoesNotLookAtTheCallersRows) {
  Offered offered(Arms::none(2));
  std::vector<double> features = {1, 2, 3, 4};
  ASSERT_TRUE(offered.offer(Actions::rows(2, features)).ok());
  offered.close();
  EXPECT_EQ(offered.size(), 0U);
  // Once there are columns, they stay.
  ASSERT_TRUE(offered.offer(Actions::rows(2, features)).ok());
  EXPECT_EQ(offered.view().feature(1)[0], 2.0);
  features.assign(4, 0.0);
  offered.close();
  EXPECT_EQ(offered.size(), 2U);
  EXPECT_EQ(offered.view().feature(1)[1], 4.0);
}

TEST(Offered, WhatIsRefusedLeavesTheActionsOfTheRoundBefore) {
  Offered offered(Arms::none(2));
  const std::vector<double> good = {1, 2, 3, 4};
  const std::vector<double> bad = {1, std::numeric_limits<double>::infinity()};
  ASSERT_TRUE(offered.offer(Actions::rows(2, good)).ok());
  EXPECT_FALSE(offered.offer(Actions::rows(1, bad)).ok());
  EXPECT_EQ(offered.size(), 2U);
  EXPECT_EQ(offered.view().feature(0)[1], 3.0);
}

TEST(Offered, ACopyHasActionsOfItsOwn) {
  Offered offered(Arms::none(1));
  std::vector<double> features = {1.0, 2.0};
  ASSERT_TRUE(offered.offer(Actions::rows(2, features)).ok());
  Offered copy = offered;
  features = {2.0, 1.0};
  ASSERT_TRUE(offered.offer(Actions::rows(2, features)).ok());
  Rng rng(1);
  EXPECT_EQ(copy.best(std::vector{1.0}, rng), 1U);
  EXPECT_EQ(offered.best(std::vector{1.0}, rng), 0U);
}

}  // namespace
}  // namespace phe
