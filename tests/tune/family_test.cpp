#include "tune/family.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/text.hpp"

namespace phe::tune {
namespace {

using testing::HasSubstr;

Family family(std::string_view text) { return families_of(text).value().front(); }
std::string refusal(std::string_view text) {
  const auto families = families_of(text);
  return families ? "taken" : families.error().message;
}

TEST(Family, HasRangesWhereValuesHaveTwoDots) {
  const Family made = family("linphe:a=0.01..4,ridge=2,centred");
  ASSERT_EQ(made.ranges.size(), 1U);
  EXPECT_EQ(made.ranges[0].key, "a");
  EXPECT_EQ(made.spec_at({0.0}), "linphe:a=0.01,ridge=2,centred");
  EXPECT_EQ(made.spec_at({1.0}), "linphe:a=4,ridge=2,centred");
  EXPECT_EQ(made.spec_at({0.5}), "linphe:a=0.2,ridge=2,centred");  // the geometric mean
  EXPECT_TRUE(family("lints").ranges.empty());
  EXPECT_EQ(family("lints").spec_at({}), "lints");
}

TEST(Family, OfAGridIsOneForEachCombination) {
  const auto made = families_of("linphe:a=0.1..1,ridge=1|4").value();
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[1].spec_at({0.0}), "linphe:a=0.1,ridge=4");
}

TEST(Family, RefusesRangesThatAreNone) {
  EXPECT_EQ(refusal("linphe:a=4..0.01"),
            "policy linphe:a=4..0.01: the range a=4..0.01 is reversed; write a=LOW..HIGH with 0 < "
            "LOW < HIGH");
  EXPECT_THAT(refusal("linphe:a=1..1"), HasSubstr("is empty"));
  EXPECT_THAT(refusal("linphe:a=0..1"), HasSubstr("begins at 0 or below"));
  EXPECT_THAT(refusal("linphe:a=-1..1"), HasSubstr("begins at 0 or below"));
  for (const char* const text : {"linphe:a=..1", "linphe:a=1..", "linphe:a=x..1", "linphe:a=..",
                                 "linphe:a=1..2..3", "linphe:a=nan..1", "linphe:a=1..inf"})
    EXPECT_THAT(refusal(text), HasSubstr("is not of two numbers")) << text;
}

RC_GTEST_PROP(Family, ValuesAscendAndStayInTheirRange, (unsigned short i, unsigned short j)) {
  const Range range{"a", 0.0123456, 7.65};
  const auto value = [&](unsigned short k) {
    return *parse_number<double>(range.value_at(k / 65535.0));
  };
  RC_ASSERT(value(i) >= range.low && value(i) <= range.high);
  if (i < j) RC_ASSERT(value(i) <= value(j));
}

class SettledFamily : public testing::Test {
 protected:
  [[nodiscard]] Result<void> settled(Family& family) const {
    const auto bandit = registry_.problem("linear:d=3,arms=6")->instance(1, 0).value();
    return settle(family, registry_, {}, PolicyContext::of(*bandit, 100));
  }
  Registry registry_ = Registry::built_in();
};

TEST_F(SettledFamily, KnowsWhichKeysTakeWholeNumbers) {
  Family ensemble = family("linens:M=2..50");
  auto done = settled(ensemble);
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_TRUE(ensemble.ranges[0].whole);
  EXPECT_EQ(ensemble.spec_at({0.5}), "linens:M=10");
  Family scale = family("linphe:a=1..4");
  ASSERT_TRUE(settled(scale).ok());
  EXPECT_FALSE(scale.ranges[0].whole);
}

TEST_F(SettledFamily, RefusesWhatCannotBeMadeAtAnEndOfItsRange) {
  const auto refused = [&](std::string_view text) {
    Family made = family(text);
    const auto done = settled(made);
    return done ? "taken" : done.error().message;
  };
  EXPECT_THAT(refused("linphe:b=0.1..1"), HasSubstr("has no key 'b'"));
  EXPECT_THAT(refused("linfe:a=0.1..1"), HasSubstr("did you mean 'linphe'?"));
  EXPECT_THAT(refused("linphe:gram=1..2"), HasSubstr("gram must be paper or authors"));
  EXPECT_EQ(refused("linphe:a=0.1..1,ridge=0.1..10"), "taken");
}

}  // namespace
}  // namespace phe::tune
