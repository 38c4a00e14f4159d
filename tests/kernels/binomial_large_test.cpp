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

}  // namespace
}  // namespace phe::kernels
