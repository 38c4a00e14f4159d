#include "kernels/score_arms.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::ElementsAreArray;
using ::testing::Values;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class ScoreArms : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

INSTANTIATE_TEST_SUITE_P(Tails, ScoreArms,
                         Combine(Values(1, 3, 7, 8, 9, 31, 32, 33, 100),
                                 Values(1, 2, 5, 8, 9, 20)));

TEST_P(ScoreArms, EveryTargetGivesTheBitsOfTheScalarTwin) {
  const auto [arms, dimension] = GetParam();
  const Arms x = test::normal_arms(arms, dimension, 11);
  Rng rng(12);
  const auto theta = test::normal_vector(dimension, rng);
  std::vector<double> expected(x.view().padded_arms(), nan);
  scalar::score_arms(x.view(), theta, expected);
  test::on_every_target([&] {
    std::vector<double> scores(expected.size(), nan);
    score_arms(x.view(), theta, scores);
    EXPECT_THAT(scores, ElementsAreArray(expected));
  });
}

TEST_P(ScoreArms, ScoresAreDotProductsAndPaddingIsMinusInfinity) {
  const auto [arms, dimension] = GetParam();
  const Arms x = test::normal_arms(arms, dimension, 13);
  Rng rng(14);
  const auto theta = test::normal_vector(dimension, rng);
  std::vector<double> scores(x.view().padded_arms());
  score_arms(x.view(), theta, scores);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k >= arms) {
      EXPECT_EQ(scores[k], -infinity);
      continue;
    }
    long double dot = 0;
    long double size = 0;
    for (std::size_t j = 0; j < dimension; ++j) {
      const long double term = static_cast<long double>(theta[j]) * x.at(static_cast<ArmId>(k), j);
      dot += term;
      size += std::abs(term);
    }
    // Each of the d products and d sums rounds once, by at most 2^-53 of what it holds.
    const auto bound = static_cast<double>(size) * static_cast<double>(2 * dimension) * 0x1p-53;
    EXPECT_NEAR(scores[k], static_cast<double>(dot), bound);
  }
}

TEST_P(ScoreArms, BestArmsOfEveryTargetAreThoseOfTheScalarTwin) {
  const auto [arms, dimension] = GetParam();
  Rng rng(15 + arms);
  for (int repetition = 0; repetition < 20; ++repetition) {
    // Few distinct values, so that ties are common.
    std::vector<double> scores((arms + 7) / 8 * 8, -infinity);
    for (std::size_t k = 0; k < arms; ++k)
      scores[k] = static_cast<double>(rng.below(dimension + 1));
    const BestArms expected = scalar::best_arms(scores);
    EXPECT_LT(expected.first, arms);
    test::on_every_target([&] {
      const BestArms best = best_arms(scores);
      EXPECT_EQ(best.score, expected.score);
      EXPECT_EQ(best.count, expected.count);
      EXPECT_EQ(best.first, expected.first);
    });
  }
}

TEST_P(ScoreArms, BestScoredOfEveryTargetIsThatOfTheScalarTwin) {
  const auto [arms, dimension] = GetParam();
  Rng rng(16 + arms);
  for (int repetition = 0; repetition < 20; ++repetition) {
    // Few distinct features, so that ties are common; all scores may be below those of padding arms
    // of zeros.
    const Arms x = Arms::generate(arms, dimension, [&](auto, auto) {
                     return 1.0 + double(rng.below(2));
                   }).value();
    const std::vector<double> theta(dimension, repetition % 2 == 0 ? 1.0 : -1.0);
    std::vector<double> scores(x.view().padded_arms());
    const BestArms expected = scalar::best_scored(x.view(), theta, scores);
    EXPECT_LT(expected.first, arms);
    test::on_every_target([&] {
      const BestArms best = best_scored(x.view(), theta, scores);
      EXPECT_EQ(best.score, expected.score);
      EXPECT_EQ(best.count, expected.count);
      EXPECT_EQ(best.first, expected.first);
    });
  }
}

struct Scores {
  std::vector<double> values;
  double score;
  std::size_t count;
  ArmId first;
};

class BestArmsOf : public ::testing::TestWithParam<Scores> {};

INSTANTIATE_TEST_SUITE_P(
    Cases, BestArmsOf,
    Values(Scores{{1, 2, 3, 4, 5, 6, 7, 8}, 8, 1, 7}, Scores{{8, 2, 3, 4, 5, 6, 7, 1}, 8, 1, 0},
           Scores{{5, 5, 5, 5, 5, 5, 5, 5}, 5, 8, 0},
           Scores{{0.0, -0.0, -1, -1, -1, -1, -1, -1}, 0, 2, 0},
           Scores{{nan, 1, nan, 1, nan, nan, nan, nan}, 1, 2, 1},
           Scores{{nan, nan, nan, nan, nan, nan, nan, -5}, -5, 1, 7},
           Scores{{-infinity, -infinity, -3, -infinity, -infinity, nan, -infinity, -infinity},
                  -3,
                  1,
                  2},
           Scores{{0, infinity, 0, 0, 0, 0, infinity, 0}, infinity, 2, 1},
           Scores{{0, 1, 2, 3, 4, 5, 6, 7, 7, 0, 0, 0, 0, 0, 0, 7}, 7, 3, 7}));

TEST_P(BestArmsOf, KnownScoresAreFoundOnEveryTargetAndNanNeverWins) {
  const auto check = [&](const BestArms& best) {
    EXPECT_EQ(best.score, GetParam().score);
    EXPECT_EQ(best.count, GetParam().count);
    EXPECT_EQ(best.first, GetParam().first);
  };
  check(scalar::best_arms(GetParam().values));
  test::on_every_target([&] { check(best_arms(GetParam().values)); });
}

TEST(BestArms, ScoresThatAreAllMinusInfinityOrNanAgreeWithTheScalarTwin) {
  for (const auto& scores : {std::vector<double>(8, -infinity), std::vector<double>(16, nan)}) {
    const BestArms expected = scalar::best_arms(scores);
    test::on_every_target([&] {
      const BestArms best = best_arms(scores);
      EXPECT_EQ(best.score, expected.score);
      EXPECT_EQ(best.count, expected.count);
      EXPECT_EQ(best.first, expected.first);
    });
  }
}

}  // namespace
}  // namespace phe::kernels
