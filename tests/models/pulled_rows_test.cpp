#include "phe/pulled_rows.hpp"

#include <gtest/gtest.h>

#include "support/arms.hpp"

namespace phe {
namespace {

TEST(PulledRows, RowsAreNumberedInTheOrderTheyCome) {
  const Arms arms = test::normal_arms(20, 3, 1);
  PulledRows rows(3, 10);
  EXPECT_EQ(rows.size(), 0U);
  EXPECT_EQ(rows.append(arms, 7), 0U);
  EXPECT_EQ(rows.append(arms, 2), 1U);
  EXPECT_EQ(rows.append(arms, 19), 2U);
  EXPECT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.view().padded_arms(), 8U);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(rows.view().feature(j)[0], arms.at(7, j));
    EXPECT_EQ(rows.view().feature(j)[1], arms.at(2, j));
    EXPECT_EQ(rows.view().feature(j)[2], arms.at(19, j));
    for (std::size_t row = 3; row < 8; ++row) EXPECT_EQ(rows.view().feature(j)[row], 0.0);
  }
}

TEST(PulledRows, ThereIsRoomForTheCapacityOnCacheLines) {
  for (const std::size_t capacity : {1, 7, 8, 9, 33}) {
    const Arms arms = test::normal_arms(capacity, 2, capacity);
    PulledRows rows(2, capacity);
    for (ArmId arm = 0; arm < capacity; ++arm) EXPECT_EQ(rows.append(arms, arm), arm);
    EXPECT_EQ(rows.size(), capacity);
    EXPECT_EQ(rows.view().stride % 8, 0U);
    EXPECT_GE(rows.view().stride, capacity);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.view().data) % 64, 0U);
  }
}

TEST(PulledRows, ACopyGrowsOnItsOwn) {
  const Arms arms = test::normal_arms(8, 2, 3);
  PulledRows rows(2, 8);
  rows.append(arms, 5);
  PulledRows copy = rows;
  EXPECT_EQ(copy.append(arms, 6), 1U);
  EXPECT_EQ(rows.append(arms, 7), 1U);
  EXPECT_EQ(copy.view().feature(0)[0], arms.at(5, 0));
  EXPECT_EQ(copy.view().feature(0)[1], arms.at(6, 0));
  EXPECT_EQ(rows.view().feature(0)[1], arms.at(7, 0));
  copy = rows;
  EXPECT_EQ(copy.view().feature(0)[1], arms.at(7, 0));
  EXPECT_EQ(copy.append(arms, 1), 2U);
  EXPECT_EQ(rows.view().feature(0)[2], 0.0);
}

}  // namespace
}  // namespace phe
