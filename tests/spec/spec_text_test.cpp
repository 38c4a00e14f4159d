#include "spec/spec_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace phe {
namespace {

std::vector<std::string> values_of(std::string_view spec) {
  std::vector<std::string> values;
  const auto items = items_of(spec);
  if (!items) return {"refused"};
  for (const auto& [key, value] : *items) values.push_back(key + "|" + value.value_or("none"));
  return values;
}

using Values = std::vector<std::string>;

TEST(SpecText, IsANameAndItsItems) {
  EXPECT_EQ(name_of(" linear : d = 2"), "linear");
  EXPECT_EQ(values_of("linear"), Values{});
  EXPECT_EQ(values_of("linear: d = 2 ,flag"), (Values{"d|2", "flag|none"}));
  EXPECT_EQ(values_of("linear:"), (Values{"|none"}));
  EXPECT_EQ(values_of("linear:a=b=c,"), (Values{"a|b=c", "|none"}));
}

TEST(SpecText, TakesCommasAndQuotesInQuotes) {
  EXPECT_EQ(values_of(R"(linear:features="a, b.csv",d=2)"), (Values{"features|a, b.csv", "d|2"}));
  EXPECT_EQ(values_of(R"(linear:features= " x ")"), (Values{"features| x "}));
  EXPECT_EQ(values_of(R"(linear:features="say ""x"".csv")"), (Values{R"(features|say "x".csv)"}));
  EXPECT_EQ(values_of(R"(linear:features="")"), (Values{"features|"}));
}

TEST(SpecText, RefusesQuotesThatDoNotEncloseTheValue) {
  for (const char* const spec : {R"(x:a=")", R"(x:a="b)", R"(x:a=b")", R"(x:a="b"c)",
                                 R"(x:a=b"c"d)", R"(x:a="b"c"d")", R"(x:a="b,c=d)"})
    EXPECT_EQ(values_of(spec), Values{"refused"}) << spec;
}

RC_GTEST_PROP(SpecText, AnyValueReadsBackAsItWasWritten, (const std::string& value)) {
  const auto items = items_of("x:a=" + spec_value(value));
  RC_ASSERT(items.has_value());
  RC_ASSERT(items->size() == 1U);
  RC_ASSERT(items->front().value == value);
}

TEST(SpecText, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(spec_value("data/arms.csv"), "data/arms.csv");
  EXPECT_EQ(spec_value("a,b"), R"("a,b")");
  EXPECT_EQ(spec_value("a\"b"), R"("a""b")");
  EXPECT_EQ(spec_value(" a"), R"(" a")");
}

}  // namespace
}  // namespace phe
