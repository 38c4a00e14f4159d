#include "kernels/optimism.hpp"

#include <gtest/gtest.h>

#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

class Optimism : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Blocks, Optimism, testing::Values(8, 16, 24, 104));

TEST_P(Optimism, OnEveryTargetGivesTheBitsOfTheScalarTwin) {
  Rng rng(GetParam());
  const auto correlations = test::normal_vector(GetParam(), rng);
  const auto means = test::normal_vector(GetParam(), rng);
  auto widths = test::normal_vector(GetParam(), rng);
  for (double& width : widths) width *= width;
  auto twin_means = means;
  auto twin_widths = widths;
  scalar::follow_pull(correlations, 0.3, 0.2, twin_means, twin_widths);
  std::vector<double> twin_scores(GetParam());
  const BestArms twin_best = scalar::best_optimistic(twin_means, twin_widths, 1.7, twin_scores);
  test::on_every_target([&] {
    auto fast_means = means;
    auto fast_widths = widths;
    follow_pull(correlations, 0.3, 0.2, fast_means, fast_widths);
    std::vector<double> scores(GetParam());
    const BestArms best = best_optimistic(fast_means, fast_widths, 1.7, scores);
    EXPECT_EQ(fast_means, twin_means);
    EXPECT_EQ(fast_widths, twin_widths);
    EXPECT_EQ(scores, twin_scores);
    EXPECT_EQ(best.first, twin_best.first);
    EXPECT_EQ(best.score, twin_best.score);
    EXPECT_EQ(best.count, 1U);
  });
}

class Ceilings : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(Tails, Ceilings,
                         testing::Combine(testing::Values(1, 7, 8, 9, 31, 33, 100),
                                          testing::Values(1, 2, 5, 9, 20)));

TEST_P(Ceilings, OnEveryTargetHaveTheBitsOfTheScalarTwinAndMeansThoseOfScores) {
  const auto [arms, d] = GetParam();
  const Arms x = test::normal_arms(arms, d, 51);
  Rng rng(52);
  const auto theta = test::normal_vector(d, rng);
  auto bounds = test::normal_vector(d, rng);
  for (double& bound : bounds) bound *= bound;
  std::vector<double> expected(x.view().padded_arms());
  scalar::score_arms(x.view(), theta, expected);
  std::vector<double> twin_means(expected.size());
  std::vector<double> twin(expected.size());
  const BestArms twin_best = scalar::best_ceiling(x.view(), theta, bounds, 1.3, twin_means, twin);
  EXPECT_EQ(twin_means, expected);
  test::on_every_target([&] {
    std::vector<double> means(expected.size());
    std::vector<double> ceilings(expected.size());
    const BestArms best = best_ceiling(x.view(), theta, bounds, 1.3, means, ceilings);
    EXPECT_EQ(means, expected);
    EXPECT_EQ(ceilings, twin);
    EXPECT_EQ(best.first, twin_best.first);
    EXPECT_EQ(best.score, twin_best.score);
  });
}

TEST(Optimism, ArmsThatShareTheBestBoundAreCounted) {
  std::vector<double> means(24, 1.0);
  std::vector<double> widths(24, 4.0);
  for (const std::size_t k : {5, 6, 21}) means[k] = 2.0;
  test::on_every_target([&] {
    std::vector<double> scores(24);
    const BestArms best = best_optimistic(means, widths, 0.5, scores);
    EXPECT_EQ(best.first, 5U);
    EXPECT_EQ(best.score, 3.0);
    EXPECT_EQ(best.count, 3U);
  });
}

TEST(Optimism, AWidthThatRoundingWouldMakeNegativeIsZero) {
  std::vector<double> means(8);
  std::vector<double> widths(8, 1e-20);
  follow_pull(std::vector<double>(8, 1.0), 0.0, 1.0, means, widths);
  EXPECT_EQ(widths, std::vector<double>(8, 0.0));
}

}  // namespace
}  // namespace phe::kernels
