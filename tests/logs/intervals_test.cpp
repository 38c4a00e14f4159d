#include "logs/intervals.hpp"

#include <gtest/gtest.h>

#include "logs/slow_estimators.hpp"
#include "phe/rng.hpp"
#include "support/sizes.hpp"

namespace phe::logs {
namespace {

// z in [0, 1], mostly 0, as the terms of IPS are.
std::vector<double> sparse_terms(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> terms(count);
  for (double& term : terms) term = rng.below(10) == 0 ? to_unit(rng()) : 0.0;
  return terms;
}

TEST(Intervals, NormalIsTwoErrorsWide) {
  const Interval interval = normal_interval(1.0, 0.5, 0.95);
  EXPECT_NEAR(interval.low, 1.0 - 0.5 * 1.959963984540054, 1e-12);
  EXPECT_NEAR(interval.high, 1.0 + 0.5 * 1.959963984540054, 1e-12);
}

TEST(Intervals, BernsteinIsItsFormula) {
  const Interval interval = bernstein_interval(0.3, 0.04, 400, {-1.0, 2.0}, 0.9);
  const double l = std::log(4.0 / 0.1);
  const double half = std::sqrt(2 * 0.04 * l / 400) + 7 * 3.0 * l / (3 * 399.0);
  EXPECT_NEAR(interval.low, 0.3 - half, 1e-13);
  EXPECT_NEAR(interval.high, 0.3 + half, 1e-13);
}

TEST(Intervals, BettingEndsWhereItsFormulaSaysSo) {
  for (const std::size_t n : {1, 3, 4, 63, 64, 65, 1000}) {
    const auto z = sparse_terms(n, n);
    const Interval interval = betting_interval(z, {0.0, 1.0}, 0.95);
    constexpr double step = 1e-9;
    EXPECT_TRUE(test::betting_keeps(z, interval.low + step, 0.05));
    EXPECT_TRUE(test::betting_keeps(z, interval.high - step, 0.05));
    if (interval.low > step) {
      EXPECT_FALSE(test::betting_keeps(z, interval.low - step, 0.05));
    }
    if (interval.high < 1.0 - step) {
      EXPECT_FALSE(test::betting_keeps(z, interval.high + step, 0.05));
    }
  }
}

TEST(Intervals, BettingMovesWithItsBounds) {
  const auto z = sparse_terms(500, 3);
  const Interval unit = betting_interval(z, {0.0, 1.0}, 0.95);
  std::vector<double> moved = z;
  for (double& term : moved) term = -2.0 + 5.0 * term;
  const Interval wide = betting_interval(moved, {-2.0, 3.0}, 0.95);
  EXPECT_NEAR(wide.low, -2.0 + 5.0 * unit.low, 1e-12);
  EXPECT_NEAR(wide.high, -2.0 + 5.0 * unit.high, 1e-12);
}

TEST(Intervals, BettingCoversAtLeastItsRate) {
  constexpr double truth = 0.05;  // 1/10 of terms with mean 1/2
  const std::size_t logs = test::draws(1000, 100);
  std::size_t covered = 0;
  for (std::size_t log = 0; log < logs; ++log) {
    const Interval interval = betting_interval(sparse_terms(300, 1000 + log), {0.0, 1.0}, 0.9);
    covered += interval.low <= truth && truth <= interval.high;
  }
  // At least 90%; 4 standard errors of a share of 0.9 below that.
  const auto n = static_cast<double>(logs);
  EXPECT_GE(static_cast<double>(covered) / n, 0.9 - 4 * std::sqrt(0.09 / n));
}

}  // namespace
}  // namespace phe::logs
