#include "problems/row_order.hpp"

#include <algorithm>

#include <gmock/gmock.h>

namespace phe::test {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> first_ten(std::uint32_t rows) {
  auto order = row_order(rows, 1);
  order.resize(10);
  return order;
}

// Computed by another program from the same definition, for two data sets of these sizes.
TEST(RowOrder, BeginsAsPublishedForTwoDataSets) {
  EXPECT_THAT(first_ten(1'797), ElementsAre(1331, 239, 1152, 1110, 326, 814, 1061, 205, 321, 721));
  EXPECT_THAT(first_ten(20'000),
              ElementsAre(18618, 15727, 12727, 4516, 14912, 13494, 808, 2523, 13297, 1170));
}

TEST(RowOrder, ShowsEveryRowOnce) {
  for (const std::uint32_t rows : {0U, 1U, 2U, 3U, 100U}) {
    auto order = row_order(rows, 7);
    std::ranges::sort(order);
    for (std::uint32_t i = 0; i < rows; ++i) EXPECT_EQ(order[i], i);
  }
  EXPECT_NE(row_order(100, 1), row_order(100, 2));
}

}  // namespace
}  // namespace phe::test
