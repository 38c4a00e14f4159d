#include "core/perturbation_scale.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace phe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Values;

struct Fraction {
  double a;
  std::uint64_t numerator;
  std::uint64_t denominator;
};

class Scale : public ::testing::TestWithParam<Fraction> {};

INSTANTIATE_TEST_SUITE_P(Values, Scale,
                         Values(Fraction{1, 1, 1}, Fraction{2, 2, 1}, Fraction{0.5, 1, 2},
                                Fraction{1.1, 11, 10}, Fraction{0.1, 1, 10}, Fraction{0.3, 3, 10},
                                Fraction{2.5, 5, 2}, Fraction{1e-6, 1, 1000000},
                                Fraction{1e6, 1000000, 1}, Fraction{0.7, 7, 10},
                                Fraction{12.34, 1234, 100}, Fraction{123456.789, 123456789, 1000},
                                Fraction{1e-3, 1, 1000}));

TEST_P(Scale, TrialsAreTheCeilingInIntegers) {
  const auto [a, numerator, denominator] = GetParam();
  const auto scale = PerturbationScale::from(a).value();
  EXPECT_EQ(scale.value(), a);
  for (std::uint64_t pulls = 0; pulls <= 10'000; ++pulls)
    ASSERT_EQ(scale.trials(pulls), (numerator * pulls + denominator - 1) / denominator) << pulls;
}

TEST_P(Scale, TrialsAreExactForBillionsOfPullsToo) {
  const auto [a, numerator, denominator] = GetParam();
  const auto scale = PerturbationScale::from(a).value();
  for (std::uint64_t pulls = 999'999'990; pulls < 1'000'000'010; ++pulls)
    ASSERT_EQ(scale.trials(pulls), (numerator * pulls + denominator - 1) / denominator) << pulls;
}

TEST(PerturbationScale, CeilingInDoublesWouldBeWrongAtElevenTenths) {
  // Why the scale is a fraction: this is the error that it avoids.
  const auto scale = PerturbationScale::from(1.1).value();
  int wrong = 0;
  for (std::uint64_t pulls = 1; pulls <= 10'000; ++pulls)
    wrong +=
        std::ceil(1.1 * static_cast<double>(pulls)) != static_cast<double>(scale.trials(pulls));
  EXPECT_EQ(wrong, 460);
}

TEST(PerturbationScale, DoublesOfFullLengthAreTheDecimalThatTheyPrintAs) {
  // 0.30000000000000004, so 10 pulls need one more than 3.
  const auto scale = PerturbationScale::from(0.1 + 0.2).value();
  EXPECT_EQ(scale.trials(10), 4U);
  EXPECT_EQ(PerturbationScale::from(1.0 / 3.0).value().trials(3), 1U);
}

TEST(PerturbationScale, ValuesOutOfRangeAreRefusedByName) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double a : {0.0, -0.0, -1.0, 9.9e-7, 1.0000001e6, infinity, -infinity, nan}) {
    const auto scale = PerturbationScale::from(a);
    ASSERT_FALSE(scale.ok()) << a;
    EXPECT_THAT(scale.error().message,
                AllOf(HasSubstr("perturbation scale"), HasSubstr("1e-06"), HasSubstr("1e+06")));
  }
  EXPECT_THAT(PerturbationScale::from(-1).error().message, HasSubstr("got -1"));
}

TEST(PerturbationScale, RoundedUpItIsTheNextWholeNumber) {
  for (const auto& [a, whole] :
       {std::pair{0.1, 1.0}, {0.5, 1.0}, {1.0, 1.0}, {1.1, 2.0}, {7.0, 7.0}})
    EXPECT_EQ(PerturbationScale::from(a).value().rounded_up().value(), whole) << a;
}

}  // namespace
}  // namespace phe
