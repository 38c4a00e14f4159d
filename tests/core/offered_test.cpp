#include "phe/arm_scorer.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/score_arms.hpp"
#include "policies/best_arm.hpp"
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
  ArmScorer scorer(x.value());
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
    ArmScorer scorer(x);
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
  ArmScorer scorer(x);
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

TEST(ArmScorer, EachOfTwoTiedArmsIsTakenHalfOfTheTime) {
  const auto x = Arms::generate(12'000, 4, [](std::size_t k, std::size_t) {
                   return k == 5 || k == 11'003 ? 1.0 : 0.5;
                 }).value();
  ArmScorer scorer(x);
  Rng rng(5);
  std::map<ArmId, int> taken;
  constexpr int draws = 2000;
  for (int i = 0; i < draws; ++i) ++taken[scorer.best(std::vector<double>(4, 1.0), rng)];
  EXPECT_EQ(taken.size(), 2U);
  // Five standard deviations of B(2000, 1/2), 22.4 each.
  EXPECT_NEAR(taken[5], draws / 2, 5 * 22.4);
  EXPECT_EQ(taken[5] + taken[11'003], draws);
}

}  // namespace
}  // namespace phe
