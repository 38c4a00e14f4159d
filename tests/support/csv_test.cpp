#include "support/csv.hpp"

#include <gtest/gtest.h>

namespace phe {
namespace {

using Rows = std::vector<std::vector<double>>;

TEST(Csv, MayBeginWithAByteOrderMark) {
  for (const char* const text : {"\xef\xbb\xbf"
                                 "1,2\n3,4\n",
                                 "\xef\xbb\xbfx,y\r\n1,2\r\n3,4\r\n"}) {
    const auto rows = parse_csv_numbers(text, "x.csv");
    ASSERT_TRUE(rows.ok()) << rows.error().message;
    EXPECT_EQ(rows.value(), (Rows{{1, 2}, {3, 4}}));
  }
  EXPECT_FALSE(parse_csv_numbers("1,2\n\xef\xbb\xbf"
                                 "3,4\n",
                                 "x.csv")
                   .ok());
}

}  // namespace
}  // namespace phe
