#include "logs/thompson_ranks.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/sizes.hpp"

namespace phe::logs {
namespace {

using Ranks = std::vector<std::vector<double>>;

Ranks ranks_of(const std::vector<BetaParameters>& arms, std::size_t ranks) {
  const auto result = thompson_ranks(arms, ranks);
  EXPECT_TRUE(result.ok());
  return result.value();
}

TEST(ThompsonRanks, EqualArmsShareEveryRank) {
  for (const auto& row : ranks_of(std::vector<BetaParameters>(5, {2.0, 7.0}), 5))
    for (const double p : row) EXPECT_NEAR(p, 0.2, 1e-12);
}

TEST(ThompsonRanks, TwoArmsHaveTheirClosedForm) {
  // P(Beta(a, 1) > Beta(b, 1)) = a / (a + b): the larger of a and b uniform maxima.
  const Ranks ranks = ranks_of({{5.0, 1.0}, {2.0, 1.0}}, 2);
  EXPECT_NEAR(ranks[0][0], 5.0 / 7, 1e-12);
  EXPECT_NEAR(ranks[1][0], 2.0 / 7, 1e-12);
  EXPECT_NEAR(ranks[0][1], 2.0 / 7, 1e-12);
}

TEST(ThompsonRanks, RanksAndArmsSumToOneForNarrowAndWideLaws) {
  const std::vector<BetaParameters> arms = {{0.5, 1},  {1, 1},   {47, 12198}, {142, 35522},
                                            {8, 3566}, {3, 500}, {100, 100}};
  const Ranks ranks = ranks_of(arms, arms.size());
  for (std::size_t k = 0; k < arms.size(); ++k) {
    double over_arms = 0.0;
    double over_ranks = 0.0;
    for (std::size_t a = 0; a < arms.size(); ++a) {
      over_arms += ranks[k][a];
      over_ranks += ranks[a][k];
    }
    EXPECT_NEAR(over_arms, 1.0, 1e-9) << k;
    EXPECT_NEAR(over_ranks, 1.0, 1e-9) << k;
  }
}

TEST(ThompsonRanks, AgreeWithDrawsFromTheLaws) {
  const std::vector<BetaParameters> arms = {{2, 30}, {3, 30}, {4, 60}, {1, 10}};
  const Ranks ranks = ranks_of(arms, 3);
  const std::size_t draws = test::draws(200'000);
  std::mt19937_64 numbers(11);
  Ranks counts(3, std::vector<double>(arms.size()));
  for (std::size_t i = 0; i < draws; ++i) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t a = 0; a < arms.size(); ++a) {
      const double x = std::gamma_distribution<double>(arms[a].alpha)(numbers);
      const double y = std::gamma_distribution<double>(arms[a].beta)(numbers);
      order.emplace_back(-x / (x + y), a);
    }
    std::ranges::sort(order);
    for (std::size_t k = 0; k < 3; ++k) ++counts[k][order[k].second];
  }
  const auto n = static_cast<double>(draws);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t a = 0; a < arms.size(); ++a) {
      const double p = ranks[k][a];
      EXPECT_NEAR(counts[k][a] / n, p, 5 * std::sqrt(p * (1 - p) / n)) << k << ' ' << a;
    }
}

TEST(ThompsonRanks, RefuseWhatIsNoBetaLawAndTooManyRanks) {
  EXPECT_FALSE(thompson_ranks({{1, 1}, {0, 1}}, 1).ok());
  EXPECT_FALSE(thompson_ranks({{1, 1}, {1, NAN}}, 1).ok());
  const auto refused = thompson_ranks({{1, 1}}, 2);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "ranks must be from 1 to 1, the number of arms, got 2");
}

}  // namespace
}  // namespace phe::logs
