#include "theory/checks.hpp"

#include <gtest/gtest.h>

namespace phe::theory {
namespace {

std::vector<Check> one(Comparison comparison) {
  return {{"lemma", "claim", {std::move(comparison)}, {}}};
}

bool holds(Comparison comparison, double confidence = 0.99) {
  auto checks = one(std::move(comparison));
  judge(checks, confidence);
  return checks[0].holds;
}

TEST(Judge, RefutesOnlyWhatLiesWhollyOnTheWrongSide) {
  // 30 of 100 has the 99% interval [0.19, 0.43].
  const auto count = Estimate::count(30, 100);
  EXPECT_TRUE(holds({Sense::at_most, 0.25, count, ""}));
  EXPECT_FALSE(holds({Sense::at_most, 0.15, count, ""}));
  EXPECT_TRUE(holds({Sense::at_least, 0.4, count, ""}));
  EXPECT_FALSE(holds({Sense::at_least, 0.5, count, ""}));
  EXPECT_TRUE(holds({Sense::equal, 0.4, count, ""}));
  EXPECT_FALSE(holds({Sense::equal, 0.5, count, ""}));
  EXPECT_FALSE(holds({Sense::equal, 0.1, count, ""}));
}

TEST(Judge, ComparesAnExactNumberWithoutMercy) {
  EXPECT_TRUE(holds({Sense::at_most, 1.0, Estimate::exact(1.0), ""}));
  EXPECT_FALSE(holds({Sense::at_most, 1.0, Estimate::exact(1.0000001), ""}));
}

TEST(Judge, SharesItsConfidenceOverAllComparisons) {
  // 2.7 standard errors: outside at 99%, inside once 100 comparisons share the 1%.
  const Comparison comparison{Sense::equal, 0, Estimate::average(2.7, 1), ""};
  EXPECT_FALSE(holds(comparison));
  std::vector<Check> checks = one(comparison);
  checks[0].comparisons.resize(100, comparison);
  judge(checks, 0.99);
  EXPECT_TRUE(checks[0].holds);
}

TEST(Judge, ShowsTheComparisonThatComesClosestToFailing) {
  std::vector<Check> checks = one({Sense::at_most, 0.5, Estimate::count(10, 100), "far"});
  checks[0].comparisons.push_back({Sense::at_most, 0.5, Estimate::count(40, 100), "near"});
  judge(checks, 0.99);
  EXPECT_EQ(checks[0].comparisons[checks[0].closest].where, "near");
}

TEST(Judge, TellsWhatIsShownFromWhatIsOnlyNotRefuted) {
  const auto shown = [](double bound) {
    auto checks = one({Sense::at_most, bound, Estimate::count(30, 100), ""});
    judge(checks, 0.99);
    return checks[0].shown;
  };
  EXPECT_TRUE(shown(0.5));
  EXPECT_FALSE(shown(0.35));
}

TEST(Judge, LeavesAClaimThatDoesNotApplyStanding) {
  std::vector<Check> checks{{"lemma", "claim", {}, "why"}};
  judge(checks, 0.99);
  EXPECT_TRUE(checks[0].holds);
  EXPECT_FALSE(checks[0].applies());
  EXPECT_TRUE(all_hold(checks));
}

}  // namespace
}  // namespace phe::theory
