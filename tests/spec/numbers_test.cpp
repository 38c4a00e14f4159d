#include "spec/numbers.hpp"

#include <gtest/gtest.h>

namespace phe {
namespace {

TEST(ParseCount, ReadsWholeNumbersAlsoWithAnExponent) {
  EXPECT_EQ(parse_count("0"), 0U);
  EXPECT_EQ(parse_count("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(parse_count("1e6"), 1'000'000U);
  EXPECT_EQ(parse_count("1E6"), 1'000'000U);
  EXPECT_EQ(parse_count("2.5e3"), 2500U);
  EXPECT_EQ(parse_count("9007199254740992e0"), 9007199254740992U);
}

TEST(ParseCount, IsNothingForWhatIsNoWholeNumber) {
  for (const char* const text : {"", "-1", "1.5", "1.0", "1e-1", "2.55e1", "-1e3", "1e17", "1e999",
                                 "nan", "inf", "one", "1e", "e6", " 1"})
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
}

TEST(CheckCount, HoldsAtBothEndsOfTheRange) {
  EXPECT_TRUE(check_count("rounds", {2, 4}, 2).ok());
  EXPECT_TRUE(check_count("rounds", {2, 4}, 4).ok());
  EXPECT_EQ(check_count("rounds", {2, 4}, 1).error().message,
            "rounds must be a whole number from 2 to 4, got '1'");
  EXPECT_FALSE(check_count("rounds", {2, 4}, 5).ok());
}

}  // namespace
}  // namespace phe
