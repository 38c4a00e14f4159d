#include "core/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/archive.hpp"
#include "support/arms.hpp"

namespace phe {
namespace {

using ::testing::ElementsAre;

std::vector<double> row_of(const Arms& arms, ArmId arm) {
  std::vector<double> row(arms.dimension());
  arms.copy_row(arm, row);
  return row;
}

TEST(Rows, ARowHoldsItsFeaturesAndZerosUpToAMultipleOfEight) {
  for (const std::size_t dimension : {1, 7, 8, 9, 33}) {
    const Arms arms = test::normal_arms(50, dimension, dimension);
    Rows rows(dimension, Rows::Layout::both);
    for (ArmId arm = 0; arm < 50; ++arm) EXPECT_EQ(rows.append(row_of(arms, arm)), arm);
    ASSERT_EQ(rows.size(), 50U);
    ASSERT_EQ(rows.view().arms, 50U);
    for (RowId row = 0; row < 50; ++row) {
      const auto features = rows.features(row);
      EXPECT_EQ(features.data(), rows.data() + row * rows.stride());
      ASSERT_EQ(features.size(), (dimension + 7) / 8 * 8);
      for (std::size_t j = 0; j < features.size(); ++j)
        EXPECT_EQ(features[j], j < dimension ? arms.at(row, j) : 0.0);
      for (std::size_t j = 0; j < dimension; ++j)
        EXPECT_EQ(rows.view().feature(j)[row], arms.at(row, j));
    }
    for (std::size_t j = 0; j < dimension; ++j)
      for (std::size_t k = 50; k < rows.view().padded_arms(); ++k)
        EXPECT_EQ(rows.view().feature(j)[k], 0.0);
  }
}

TEST(Rows, EqualRowsAreInternedAsOneAndOthersAreNot) {
  // Integers from a small set, so that rows repeat, and hashes of a table of 32 slots collide.
  Rows rows(3);
  std::vector<std::vector<double>> distinct;
  Rng rng(1);
  for (int i = 0; i < 5'000; ++i) {
    std::vector<double> x(3);
    for (double& value : x) value = static_cast<double>(rng.below(9)) - 4.0;
    const auto found = std::ranges::find(distinct, x);
    const auto expected = static_cast<RowId>(found - distinct.begin());
    ASSERT_EQ(rows.intern(x), expected);
    if (found == distinct.end()) distinct.push_back(x);
  }
  EXPECT_EQ(rows.size(), distinct.size());
  EXPECT_GT(distinct.size(), 600U);
}

TEST(Rows, ZeroHasNoSignButTheLastBitCounts) {
  Rows rows(1);
  EXPECT_EQ(rows.intern(std::vector{0.0}), rows.intern(std::vector{-0.0}));
  EXPECT_NE(rows.intern(std::vector{1.0}), rows.intern(std::vector{1.0 + 0x1p-52}));
}

TEST(Rows, DroppingTheFirstKeepsTheOthersInOrderAndForgetsThem) {
  for (const auto layout : {Rows::Layout::by_row, Rows::Layout::both}) {
    const Arms arms = test::normal_arms(40, 5, 2);
    Rows rows(5, layout);
    for (ArmId arm = 0; arm < 40; ++arm) rows.intern(row_of(arms, arm));
    rows.drop_first(13);
    ASSERT_EQ(rows.size(), 27U);
    for (ArmId arm = 13; arm < 40; ++arm) EXPECT_EQ(rows.intern(row_of(arms, arm)), arm - 13U);
    EXPECT_EQ(rows.intern(row_of(arms, 3)), 27U);
    if (layout == Rows::Layout::both)
      for (std::size_t j = 0; j < 5; ++j) {
        EXPECT_EQ(rows.view().feature(j)[0], arms.at(13, j));
        EXPECT_EQ(rows.view().feature(j)[27], arms.at(3, j));
        for (std::size_t k = 28; k < rows.view().padded_arms(); ++k)
          EXPECT_EQ(rows.view().feature(j)[k], 0.0);
      }
  }
}

TEST(Rows, ReplacingLeavesOneRow) {
  Rows rows(2);
  EXPECT_EQ(rows.replace(std::vector{1.0, 2.0}), 0U);
  EXPECT_EQ(rows.replace(std::vector{3.0, 4.0}), 0U);
  EXPECT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows.features(0).first(2), ElementsAre(3.0, 4.0));
}

TEST(Rows, RoomThatWasReservedIsEnoughForACopyToo) {
  const Arms arms = test::normal_arms(100, 6, 3);
  Rows rows(6, Rows::Layout::both);
  rows.reserve(100);
  rows.append(row_of(arms, 0));
  Rows copy = rows;
  const double* first = copy.features(0).data();
  std::vector<double> x = row_of(arms, 7);
  const std::size_t before = test::allocations();
  for (int i = 1; i < 100; ++i) {
    rows.append(x);
    copy.append(x);
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(copy.features(0).data(), first);
}

TEST(Rows, ACopyGrowsOnItsOwn) {
  Rows rows(1);
  rows.intern(std::vector{1.0});
  Rows copy = rows;
  EXPECT_EQ(copy.intern(std::vector{2.0}), 1U);
  EXPECT_EQ(rows.intern(std::vector{3.0}), 1U);
  EXPECT_EQ(copy.intern(std::vector{3.0}), 2U);
  copy = rows;
  EXPECT_EQ(copy.intern(std::vector{3.0}), 1U);
}

TEST(Rows, ComeBackFromAnArchiveAsTheyWere) {
  const Arms arms = test::normal_arms(100, 3, 4);
  Rows rows(3, Rows::Layout::both);
  for (ArmId arm = 0; arm < 100; ++arm) rows.intern(row_of(arms, arm));
  Archive written;
  rows.persist(written);
  Rows restored(3, Rows::Layout::both);
  Archive read(written.written());
  restored.persist(read);
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read.left().empty());
  for (ArmId arm = 0; arm < 100; ++arm) EXPECT_EQ(restored.intern(row_of(arms, arm)), arm);
  EXPECT_EQ(restored.size(), 100U);
}

}  // namespace
}  // namespace phe
