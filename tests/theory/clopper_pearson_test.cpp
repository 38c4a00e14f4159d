#include "theory/clopper_pearson.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace phe::theory {
namespace {

TEST(ClopperPearson, MatchesIntervalsFromBinomialSums) {
  // Exact sums of binomial probabilities, solved for the ends.
  const auto expect = [](std::uint64_t k, std::uint64_t m, double low, double high) {
    const Interval interval = clopper_pearson(k, m, 0.95);
    EXPECT_NEAR(interval.low, low, 5e-7) << k << " of " << m;
    EXPECT_NEAR(interval.high, high, 5e-7) << k << " of " << m;
  };
  expect(0, 10, 0, 0.3084971);
  expect(1, 10, 0.0025286, 0.4450161);
  expect(5, 10, 0.1870860, 0.8129140);
  expect(10, 10, 0.6915029, 1);
  expect(7, 100, 0.0286053, 0.1389197);
}

TEST(ClopperPearson, CoversEveryProbabilityAtLeastAsOftenAsItSays) {
  const std::uint64_t m = 25;
  std::vector<Interval> intervals;
  for (std::uint64_t k = 0; k <= m; ++k) intervals.push_back(clopper_pearson(k, m, 0.9));
  for (int i = 1; i < 200; ++i) {
    const double p = i / 200.0;
    double covered = 0;
    for (std::uint64_t k = 0; k <= m; ++k)
      if (intervals[k].low <= p && p <= intervals[k].high)
        covered += std::exp(std::lgamma(m + 1.0) - std::lgamma(double(k) + 1) -
                            std::lgamma(double(m - k) + 1) + double(k) * std::log(p) +
                            double(m - k) * std::log1p(-p));
    EXPECT_GE(covered, 0.9 - 1e-12) << p;
  }
}

TEST(ClopperPearson, ApproachesTheNormalIntervalForManyTrials) {
  const std::uint64_t m = 4'000'000;
  const Interval interval = clopper_pearson(m / 4, m, 0.999);
  const double half = normal_half_width(0.999) * std::sqrt(0.25 * 0.75 / double(m));
  // The two differ by O(1/m).
  EXPECT_NEAR(interval.low, 0.25 - half, 5.0 / double(m));
  EXPECT_NEAR(interval.high, 0.25 + half, 5.0 / double(m));
}

TEST(NormalHalfWidth, MatchesTables) {
  EXPECT_NEAR(normal_half_width(0.95), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_half_width(0.99), 2.5758293035489, 1e-12);
  EXPECT_NEAR(normal_half_width(1 - 1e-9), 6.1094, 1e-3);
}

}  // namespace
}  // namespace phe::theory
