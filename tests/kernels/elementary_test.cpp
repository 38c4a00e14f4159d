#include "kernels/elementary.hpp"

#include <gtest/gtest.h>

#include "phe/rng.hpp"
#include "support/sizes.hpp"

namespace phe::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t points = test::draws(2'000'000);

// What the header promises.
constexpr long double promised = 0x1p-51L;

long double relative_error(double value, long double truth) {
  return std::abs((value - truth) / truth);
}

TEST(Exp, RelativeErrorIsBelowTheOnePromised) {
  Rng rng(41);
  long double worst = 0;
  for (std::size_t i = 0; i < points; ++i) {
    // Half of the points over the whole range, half near 0.
    const double reach = i % 2 == 0 ? 708.0 : 2.0;
    const double x = (2 * to_unit(rng()) - 1) * reach;
    worst = std::max(worst, relative_error(exp(x), std::exp(static_cast<long double>(x))));
  }
  RecordProperty("worst", std::to_string(static_cast<double>(worst / 0x1p-53L)) + " * 2^-53");
  EXPECT_LT(worst, promised);
}

TEST(Exp, ExtremesAreZeroOneInfinityAndNan) {
  EXPECT_EQ(exp(0.0), 1.0);
  EXPECT_EQ(exp(-0.0), 1.0);
  EXPECT_EQ(exp(1e-300), 1.0);
  EXPECT_EQ(exp(-infinity), 0.0);
  EXPECT_EQ(exp(infinity), infinity);
  EXPECT_EQ(exp(1e300), infinity);
  EXPECT_EQ(exp(-1e300), 0.0);
  EXPECT_EQ(exp(std::nextafter(exp_lowest, -infinity)), 0.0);
  EXPECT_EQ(exp(std::nextafter(exp_highest, infinity)), infinity);
  EXPECT_TRUE(std::isnan(exp(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Exp, EndsOfTheRangeAreFiniteNormalAndAccurate) {
  for (const double x : {exp_lowest, exp_highest}) {
    EXPECT_TRUE(std::isnormal(exp(x)));
    EXPECT_LT(relative_error(exp(x), std::exp(static_cast<long double>(x))), promised);
  }
}

TEST(Log, RelativeErrorIsBelowTheOnePromised) {
  Rng rng(42);
  long double worst = 0;
  for (std::size_t i = 0; i < points; ++i) {
    // A third of the points each: any exponent, around 1, and very near 1.
    const double u = to_unit(rng());
    double x = std::ldexp(1.0 + u, static_cast<int>(rng.below(2046)) - 1022);
    if (i % 3 == 1) x = 0.25 + 4 * u;
    if (i % 3 == 2) x = 1 + std::ldexp(2 * u - 1, -static_cast<int>(rng.below(52)) - 1);
    const long double truth = std::log(static_cast<long double>(x));
    if (truth == 0) {
      EXPECT_EQ(log(x), 0.0);
    } else {
      worst = std::max(worst, relative_error(log(x), truth));
    }
  }
  RecordProperty("worst", std::to_string(static_cast<double>(worst / 0x1p-53L)) + " * 2^-53");
  EXPECT_LT(worst, promised);
}

TEST(Log, ExtremesAreAccurate) {
  EXPECT_EQ(log(1.0), 0.0);
  for (const double x : {std::numeric_limits<double>::min(), std::numeric_limits<double>::max(),
                         std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0), 0x1p-53})
    EXPECT_LT(relative_error(log(x), std::log(static_cast<long double>(x))), promised) << x;
}

}  // namespace
}  // namespace phe::kernels
