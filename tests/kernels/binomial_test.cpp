#include "kernels/binomial.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/sizes.hpp"
#include "support/statistics.hpp"

namespace phe::kernels {
namespace {

struct Case {
  std::uint64_t trials;
  double p;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return "n" + std::to_string(info.param.trials) + "_p" +
         std::to_string(static_cast<int>(info.param.p * 1e6));
}

// log P(B(n, p) = k), by the gamma function of the local libm.
double log_law(double n, double p, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
         (n - k) * std::log1p(-p);
}

class Binomial : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(BothMethods, Binomial,
                         testing::Values(Case{1, 0.3}, Case{2, 0.5}, Case{7, 0.9}, Case{19, 0.5},
                                         Case{20, 0.5}, Case{21, 0.5}, Case{33, 0.3}, Case{34, 0.3},
                                         Case{99, 0.1}, Case{100, 0.1}, Case{101, 0.1},
                                         Case{100, 0.9}, Case{1000, 0.001}, Case{1000, 0.4},
                                         Case{30'000, 1.0 / 3.0}, Case{30'000, 0.999},
                                         Case{1'000'000, 0.00002}, Case{1'000'000, 0.25}),
                         name_of);

TEST_P(Binomial, DrawsFollowTheExactLaw) {
  const auto [trials, p] = GetParam();
  const auto n = static_cast<double>(trials);
  const std::size_t count = test::draws(400'000, 20'000);
  // Neighbouring outcomes pooled until they expect 50 draws.
  const double deviation = std::sqrt(n * p * (1 - p));
  const double low = std::max(0.0, std::floor(n * p - 10 * deviation - 20));
  const double high = std::min(n, std::ceil(n * p + 10 * deviation + 20));
  std::vector<std::size_t> bin_of;
  std::vector<double> expected(1);
  for (double k = low; k <= high; ++k) {
    if (expected.back() >= 50) expected.push_back(0.0);
    bin_of.push_back(expected.size() - 1);
    expected.back() += static_cast<double>(count) * std::exp(log_law(n, p, k));
  }
  std::vector<double> observed(expected.size());
  Rng rng(11);
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(binomial(trials, p, rng));
    ASSERT_GE(k, low);
    ASSERT_LE(k, high);
    ++observed[bin_of[static_cast<std::size_t>(k - low)]];
  }
  if (expected.back() < 20 && expected.size() > 1) {  // the far tail joins its neighbour
    expected[expected.size() - 2] += expected.back();
    observed[observed.size() - 2] += observed.back();
    expected.pop_back();
    observed.pop_back();
  }
  // 18 cases: the chance that a right sampler fails one is below 1e-4.
  if (expected.size() > 1) {
    EXPECT_GT(test::chi_square_p_value(observed, expected), 5e-6);
  }
}

// Sixteen parts of nearly equal probability and 3.2e6 draws: 5 sigma is 1.1% of each probability,
// 0.4% of the variance. One case for each way: inversion, with its series for small p, and
// rejection by its squeeze and by Stirling's table and series.
class BinomialPrecision : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(EachWay, BinomialPrecision,
                         testing::Values(Case{90, 0.1}, Case{19'000, 0.0005}, Case{25, 0.45},
                                         Case{1000, 0.4}, Case{30'000, 0.7}),
                         name_of);

TEST_P(BinomialPrecision, SeesAnErrorOfOnePercent) {
  const auto [trials, p] = GetParam();
  const auto n = static_cast<double>(trials);
  const std::size_t count = test::draws(3'200'000, 20'000);
  std::vector<std::size_t> part_of(trials + 1);
  std::vector<double> probability(1);
  for (std::size_t k = 0; k <= trials; ++k) {
    if (probability.back() >= 1.0 / 16) probability.push_back(0.0);
    part_of[k] = probability.size() - 1;
    probability.back() += std::exp(log_law(n, p, static_cast<double>(k)));
  }
  std::vector<double> observed(probability.size());
  double squares = 0;
  Rng rng(12);
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(binomial(trials, p, rng));
    ++observed[part_of[static_cast<std::size_t>(k)]];
    squares += (k - n * p) * (k - n * p);
  }
  const auto draws = static_cast<double>(count);
  for (std::size_t i = 0; i < probability.size(); ++i)
    EXPECT_NEAR(observed[i], draws * probability[i],
                5 * std::sqrt(draws * probability[i] * (1 - probability[i])))
        << "part " << i;
  // The fourth central moment is v (1 + 3 v (1 - 2 / n)) with v the variance, for skew laws about.
  const double variance = n * p * (1 - p);
  EXPECT_NEAR(squares / draws, variance,
              5 * std::sqrt((2 * variance * variance + variance) / draws));
}

TEST(Binomial, ProbabilitiesAtAndBeyondTheEndsAreCertain) {
  Rng rng(1);
  EXPECT_EQ(binomial(0, 0.5, rng), 0U);
  EXPECT_EQ(binomial(9, 0.0, rng), 0U);
  EXPECT_EQ(binomial(9, 1.0, rng), 9U);
}

TEST(Binomial, HugeCountsKeepTheirMeanAndVariance) {
  const std::uint64_t trials = 1'000'000'000;
  const double p = 0.4;
  const std::size_t count = test::draws(100'000, 10'000);
  Rng rng(2);
  std::vector<double> z(count);
  for (double& value : z)
    value = (static_cast<double>(binomial(trials, p, rng)) - 4e8) / std::sqrt(2.4e8);
  const auto n = static_cast<double>(count);
  EXPECT_NEAR(test::mean(z), 0.0, 5 / std::sqrt(n));
  EXPECT_NEAR(test::covariance(z, z), 1.0, 5 * std::sqrt(2 / n));
}

}  // namespace
}  // namespace phe::kernels
