#include "report/verdict.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace phe {
namespace {

using enum Verdict;

// 100 paired values around `mean`; pairs share what the instance contributes.
std::vector<double> around(double mean, unsigned seed, double noise = 1.0) {
  std::mt19937 instances(1);
  std::mt19937 own(seed);
  // One distribution each: it keeps half of what it draws for its next call, whoever calls.
  std::normal_distribution<double> shared;
  std::normal_distribution<double> alone;
  std::vector<double> values(100);
  for (double& value : values) value = mean + 20.0 * shared(instances) + noise * alone(own);
  return values;
}

TEST(Verdict, BetterHoldsWhenOursIsSignificantlyLower) {
  const Judgement j = judge(better, around(98, 2), around(100, 3));
  EXPECT_EQ(j.verdict, holds);
  EXPECT_NEAR(j.difference, -2, 5 * j.standard_error);
  EXPECT_LT(j.t, -critical_t(100));
}

TEST(Verdict, BetterDoesNotHoldWhenOursIsSignificantlyHigher) {
  EXPECT_EQ(judge(better, around(102, 2), around(100, 3)).verdict, does_not_hold);
}

TEST(Verdict, BetterIsUndecidedWhenTheDifferenceDrownsInNoise) {
  EXPECT_EQ(judge(better, around(99, 4, 50), around(100, 5, 50)).verdict, undecided);
}

TEST(Verdict, PairingShowsADifferenceThatUnpairedMeansWouldHide) {
  const auto ours = around(99, 2);
  const auto theirs = around(100, 3);
  const Judgement j = judge(better, ours, theirs);
  EXPECT_EQ(j.verdict, holds);
  // Each mean alone has a standard error of about 20 / sqrt(100) = 2, twice the difference.
  EXPECT_LT(j.standard_error, 0.3);
}

TEST(Verdict, NotBetterIsTheOppositeOfBetter) {
  EXPECT_EQ(judge(not_better, around(102, 2), around(100, 3)).verdict, holds);
  EXPECT_EQ(judge(not_better, around(98, 2), around(100, 3)).verdict, does_not_hold);
  EXPECT_EQ(judge(not_better, around(100, 4, 50), around(100, 5, 50)).verdict, undecided);
}

TEST(Verdict, SimilarHoldsWithinTheMarginOnly) {
  EXPECT_EQ(judge(similar, around(110, 2), around(100, 3)).verdict, holds);
  EXPECT_EQ(judge(similar, around(90, 2), around(100, 3)).verdict, holds);
  EXPECT_EQ(judge(similar, around(140, 2), around(100, 3)).verdict, does_not_hold);
  EXPECT_EQ(judge(similar, around(70, 2), around(100, 3)).verdict, does_not_hold);
  EXPECT_EQ(judge(similar, around(125, 2, 50), around(100, 3, 50)).verdict, undecided);
}

TEST(Verdict, CompetitiveAllowsAMarginAndAnythingBetter) {
  EXPECT_EQ(judge(competitive, around(110, 2), around(100, 3)).verdict, holds);
  EXPECT_EQ(judge(competitive, around(40, 2), around(100, 3)).verdict, holds);
  EXPECT_EQ(judge(competitive, around(140, 2), around(100, 3)).verdict, does_not_hold);
}

TEST(Verdict, HalfComparesWithHalfOfTheirs) {
  EXPECT_EQ(judge(half, around(100, 2), around(300, 3)).verdict, holds);
  EXPECT_EQ(judge(half, around(100, 2), around(150, 3)).verdict, does_not_hold);
  EXPECT_EQ(judge(half, around(100, 2, 90), around(200, 3, 90)).verdict, undecided);
}

TEST(Verdict, TheNumbersAreThoseOfThePairs) {
  const std::vector<double> ours = {1, 2, 3, 6};
  const std::vector<double> theirs = {2, 2, 5, 7};
  const Judgement j = judge(better, ours, theirs);  // differences -1, 0, -2, -1
  EXPECT_DOUBLE_EQ(j.ratio, 12.0 / 16.0);
  EXPECT_DOUBLE_EQ(j.difference, -1.0);
  EXPECT_DOUBLE_EQ(j.standard_error, std::sqrt(2.0 / 3.0 / 4.0));
  EXPECT_DOUBLE_EQ(j.t, -std::sqrt(6.0));
  EXPECT_EQ(j.verdict, undecided);  // 3 degrees of freedom: |t| must be above 4.541
  EXPECT_NEAR(critical_t(4), 4.541, 5e-4);
}

TEST(Verdict, OneInstanceDecidesNothing) {
  const std::vector<double> ours = {1};
  const std::vector<double> theirs = {100};
  EXPECT_EQ(judge(better, ours, theirs).verdict, undecided);
}

TEST(Verdict, EqualDifferencesAreDecidedByTheirSign) {
  const std::vector<double> low = {1, 2, 3};
  const std::vector<double> high = {2, 3, 4};
  EXPECT_EQ(judge(better, low, high).verdict, holds);
  EXPECT_EQ(judge(better, high, low).verdict, does_not_hold);
  EXPECT_EQ(judge(better, low, low).verdict, undecided);
}

TEST(Verdict, AllNeedsEveryPartAndFailsWithOne) {
  EXPECT_EQ(all_of(std::vector{holds, holds}), holds);
  EXPECT_EQ(all_of(std::vector{holds, undecided}), undecided);
  EXPECT_EQ(all_of(std::vector{holds, undecided, does_not_hold}), does_not_hold);
}

TEST(Verdict, MostNeedsMoreThanHalf) {
  EXPECT_EQ(most_of(std::vector{holds, holds, does_not_hold}), holds);
  EXPECT_EQ(most_of(std::vector{does_not_hold, holds, does_not_hold}), does_not_hold);
  EXPECT_EQ(most_of(std::vector{holds, does_not_hold}), undecided);
  EXPECT_EQ(most_of(std::vector{holds, holds, undecided, does_not_hold}), undecided);
}

}  // namespace
}  // namespace phe
