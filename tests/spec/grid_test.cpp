#include "spec/grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "spec/spec_text.hpp"

namespace phe {
namespace {

using Specs = std::vector<std::string>;
using testing::HasSubstr;

Specs specs_of(std::string_view spec) {
  auto specs = expand_grid("policy", spec);
  return specs ? std::move(specs).value() : Specs{"refused: " + specs.error().message};
}

TEST(Grid, WithoutABarIsTheSpecAsItIsWritten) {
  for (const char* const spec : {"linphe", "linphe: a = 1 ,centred", "x:", "", "x:a=b=c,"})
    EXPECT_EQ(specs_of(spec), Specs{spec});
}

TEST(Grid, StandsForEveryCombinationTheLastKeyFastest) {
  EXPECT_EQ(specs_of("linphe:a=0.1|1"), (Specs{"linphe:a=0.1", "linphe:a=1"}));
  EXPECT_EQ(specs_of("x:a=1|2,flag,b= 3 | 4 |5"),
            (Specs{"x:a=1,flag,b=3", "x:a=1,flag,b=4", "x:a=1,flag,b=5", "x:a=2,flag,b=3",
                   "x:a=2,flag,b=4", "x:a=2,flag,b=5"}));
}

TEST(Grid, TakesABarInQuotesForItself) {
  EXPECT_EQ(specs_of(R"(x:f="a|b.csv",d=1|2)"),
            (Specs{R"(x:f="a|b.csv",d=1)", R"(x:f="a|b.csv",d=2)"}));
  EXPECT_EQ(specs_of(R"(x:f="a|b"|"c,d")"), (Specs{R"(x:f="a|b")", R"(x:f="c,d")"}));
}

TEST(Grid, NamesAValueOrAKeyThatIsMissing) {
  for (const char* const spec : {"x:a=1||2", "x:a=|2", "x:a=1|", "x:a=1| |2"})
    EXPECT_THAT(specs_of(spec).front(), HasSubstr("refused: policy: a value is missing in 'a="))
        << spec;
  EXPECT_THAT(specs_of("x:1|2").front(), HasSubstr("a grid needs a key, as in a=0.5|1, got '1|2'"));
  EXPECT_THAT(specs_of("x:1|a=2").front(), HasSubstr("a grid needs a key"));
}

TEST(Grid, OfMoreThanTenThousandIsRefused) {
  std::string values = "0";
  for (int i = 1; i < 100; ++i) values += "|" + std::to_string(i);
  EXPECT_EQ(specs_of("x:a=" + values + ",b=" + values).size(), 10'000U);
  EXPECT_THAT(specs_of("x:a=" + values + ",b=" + values + ",c=1|2").front(),
              HasSubstr("stands for more than 10000"));
}

RC_GTEST_PROP(Grid, OfAnyValuesReadsBackAsThem, (const std::vector<std::string>& values)) {
  RC_PRE(!values.empty());
  std::string spec = "x:a=";
  for (const std::string& value : values)
    spec += (&value == &values.front() ? "" : "|") + ('"' + std::string()) +
            std::string(spec_value(value + ",")).substr(1);
  const Specs specs = specs_of(spec);
  RC_ASSERT(specs.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    RC_ASSERT(items_of(specs[i])->front().value == values[i] + ",");
}

}  // namespace
}  // namespace phe
