#include "phe/pseudo_rewards.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/arms.hpp"

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

// Arms e_1 .. e_K, so that the vector sum_i x_i U_i is the U_i themselves.
Arms unit_arms(std::size_t count) {
  return Arms::generate(count, count, [](auto arm, auto feature) { return arm == feature; })
      .value();
}

TEST(PseudoRewards, TrialsFollowThePullsAndTheirGrowthIsReturned) {
  PseudoRewards pseudo(PerturbationScale::from(1.5).value(), unit_arms(3));
  EXPECT_EQ(pseudo.set_pulls(0, 1), 2U);
  EXPECT_EQ(pseudo.set_pulls(0, 2), 1U);
  EXPECT_EQ(pseudo.set_pulls(0, 5), 5U);
  EXPECT_EQ(pseudo.trials(0), 8U);
  EXPECT_EQ(pseudo.trials(1), 0U);
}

TEST(PseudoRewards, NothingPulledGivesZero) {
  PseudoRewards pseudo(PerturbationScale::from(1).value(), unit_arms(20));
  Rng rng(1);
  for (int i = 0; i < 40; ++i)
    for (const double sum : pseudo.draw(rng)) ASSERT_EQ(sum, 0.0);
}

TEST(PseudoRewards, DrawsAreWholeNumbersUpToTheTrialsOfTheirArmWhileThePullsGrow) {
  // Pulls between draws: none, a few, more than are kept apart from the rounds drawn ahead.
  constexpr std::size_t arms = 40;
  PseudoRewards pseudo(PerturbationScale::from(0.7).value(), unit_arms(arms));
  std::vector<std::uint64_t> pulls(arms);
  Rng rng(2);
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t news = round % 100 == 0 ? 60 : rng.below(4);
    for (std::uint64_t i = 0; i < news; ++i) {
      const auto arm = static_cast<ArmId>(rng.below(arms));
      pseudo.set_pulls(arm, pulls[arm] += rng.below(50) == 0 ? 20'000 : 1);
    }
    const auto sums = pseudo.draw(rng);
    ASSERT_EQ(sums.size(), arms);
    for (ArmId arm = 0; arm < arms; ++arm) {
      ASSERT_EQ(pseudo.trials(arm), (7 * pulls[arm] + 9) / 10);
      ASSERT_GE(sums[arm], 0);
      ASSERT_LE(sums[arm], static_cast<double>(pseudo.trials(arm)));
      ASSERT_EQ(sums[arm], std::floor(sums[arm]));
    }
  }
}

TEST(PseudoRewards, ACopyDrawsTheSameAndThenGoesItsOwnWay) {
  PseudoRewards pseudo(PerturbationScale::from(1).value(), unit_arms(4));
  Rng rng(3);
  pseudo.set_pulls(0, 100);
  pseudo.draw(rng);
  PseudoRewards copy = pseudo;
  Rng same = rng;
  copy.set_pulls(1, 50);
  pseudo.set_pulls(2, 50);
  for (int i = 0; i < 40; ++i) {
    const auto a = pseudo.draw(rng);
    const auto b = copy.draw(same);
    ASSERT_EQ(a[0], b[0]);
    ASSERT_EQ(a[1], 0.0);
    ASSERT_EQ(b[2], 0.0);
    ASSERT_EQ(a[2], b[1]);  // the same word for the same place
  }
}

TEST(PseudoRewards, APullMadeWhileRoundsAreDrawnAheadIsInEachOfThemWithFlipsOfItsOwn) {
  for (std::size_t drawn = 0; drawn < PseudoRewards::look_ahead; ++drawn) {
    PseudoRewards pseudo(PerturbationScale::from(1).value(), unit_arms(3));
    Rng rng(5 + drawn);
    for (std::size_t i = 0; i < drawn; ++i) pseudo.draw(rng);
    pseudo.set_pulls(1, 10'000);
    std::set<double> values;
    for (int i = 0; i < 20; ++i) {
      const auto sums = pseudo.draw(rng);
      // B(10000, 1/2) has standard deviation 50; eight of them are never reached.
      ASSERT_NEAR(sums[1], 5000, 400) << drawn << ", " << i;
      ASSERT_EQ(sums[0], 0.0);
      ASSERT_EQ(sums[2], 0.0);
      values.insert(sums[1]);
    }
    // 190 pairs meet with probability 1/177 each: one repetition is expected, not ten.
    EXPECT_GT(values.size(), 10U) << drawn;
  }
}

TEST(PseudoRewards, ACopyDrawsWithoutAllocatingToo) {
  const PseudoRewards pseudo(PerturbationScale::from(1).value(), unit_arms(40));
  PseudoRewards copy = pseudo;
  Rng rng(4);
  const std::size_t before = test::allocations();
  for (std::uint64_t pulls = 1; pulls <= 20; ++pulls) {
    for (ArmId arm = 0; arm < 40; ++arm) copy.set_pulls(arm, pulls);
    copy.draw(rng);
  }
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace phe
