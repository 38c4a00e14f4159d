#include "kernels/binomial_large.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/binomial_tables.hpp"
#include "support/statistics.hpp"

namespace phe::kernels {
namespace {

using ::testing::Values;

class LogProbability : public ::testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Trials, LogProbability,
                         Values(1024, 5120, 15360, 16384, 59078, 1'000'000, 1'000'000'000,
                                std::uint64_t{1} << 40));

TEST_P(LogProbability, IsRightToTheRelativeErrorThatTheSamplerPromises) {
  const std::uint64_t m = GetParam();
  const test::HalfBinomialLaw law(m);
  const std::uint64_t step = (law.last() - law.first()) / 10'000 + 1;
  long double worst = 0;
  for (std::uint64_t j = law.first(); j <= law.last(); j += step) {
    const double offset = static_cast<double>(j) - static_cast<double>(m / 2);
    const long double log_p = log_probability(static_cast<double>(m), offset);
    worst = std::max(worst, std::abs(log_p - std::log(law[j])));
  }
  EXPECT_LT(worst, 0x1p-40L);
}

TEST(BinomialLarge, DrawsStayWithinThirtyStandardDeviations) {
  Rng rng(91);
  for (std::uint64_t m = BinomialTables::limit; m < std::uint64_t{1} << 41; m = m * 3 / 2 + 1)
    for (int i = 0; i < 1000; ++i) {
      const auto offset =
          static_cast<double>(LargeBinomial(m).draw(rng)) - 0.5 * static_cast<double>(m);
      ASSERT_LE(std::abs(offset), 15 * std::sqrt(static_cast<double>(m)) + 1);
    }
}

// Rejection is exact if and only if this holds for all that can be proposed, and the bound must not
// be loose either: it decides most draws.
TEST(BinomialLarge, AcceptanceIsAProbabilityAndItsBoundIsBelowIt) {
  for (const std::uint64_t m :
       {std::uint64_t{1} << 19, std::uint64_t{524'290}, std::uint64_t{600'000},
        std::uint64_t{1'000'000}, std::uint64_t{3'456'790}, std::uint64_t{1} << 30,
        std::uint64_t{1} << 40}) {
    const LargeBinomial large(m);
    const auto step = static_cast<double>(large.step());
    const double reach = 10 * std::sqrt(static_cast<double>(m)) / 2;  // 10 standard deviations
    double tightest = 1;
    for (double x = -std::floor(reach / step); x * step <= reach; ++x)
      for (const double within : {0.0, std::floor(step / 2), step - 1}) {
        const double offset = step * x - std::floor(step / 2) + within;
        const double acceptance = large.acceptance(offset, x);
        ASSERT_LE(acceptance, 1.0) << m << ", " << offset;
        ASSERT_LE(large.sure_acceptance(offset), acceptance) << m << ", " << offset;
        tightest = std::min(tightest, acceptance - large.sure_acceptance(offset));
      }
    EXPECT_LT(tightest, 0.008) << m;
    EXPECT_GT(large.sure_acceptance(0), 0.97) << m;
  }
}

// An odd number of trials is an even one and a coin, from the same words otherwise.
TEST(BinomialLarge, AnOddNumberOfTrialsHasACoinMore) {
  for (const std::uint64_t m :
       {std::uint64_t{524'288}, std::uint64_t{1'000'000}, std::uint64_t{1} << 40}) {
    Rng rng(92);
    Rng twin_rng(92);
    const int count = 100'000;
    int heads = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t coin = LargeBinomial(m + 1).draw(rng) - LargeBinomial(m).draw(twin_rng);
      ASSERT_LE(coin, 1U);
      heads += static_cast<int>(coin);
    }
    EXPECT_NEAR(heads, 0.5 * count, 2.5 * std::sqrt(count));  // 5 sigma: 1.6% of the probability
  }
}

}  // namespace
}  // namespace phe::kernels
