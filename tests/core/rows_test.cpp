#include "phe/padded_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/arms.hpp"

namespace phe {
namespace {

using ::testing::ElementsAre;

TEST(PaddedRows, RowsAreNumberedInTheOrderOfTheFirstPull) {
  PaddedRows rows(test::normal_arms(20, 3, 1));
  EXPECT_EQ(rows.size(), 0U);
  EXPECT_EQ(rows.row_of(7), 0U);
  EXPECT_EQ(rows.row_of(2), 1U);
  EXPECT_EQ(rows.row_of(7), 0U);
  EXPECT_EQ(rows.row_of(19), 2U);
  EXPECT_EQ(rows.row_of(2), 1U);
  EXPECT_EQ(rows.size(), 3U);
}

TEST(PaddedRows, ARowHoldsTheFeaturesOfItsArmAndZerosUpToAMultipleOfEight) {
  for (const std::size_t dimension : {1, 7, 8, 9, 33}) {
    const Arms arms = test::normal_arms(5, dimension, dimension);
    PaddedRows rows(arms);
    for (const ArmId arm : {3U, 0U, 4U, 1U, 2U}) rows.row_of(arm);
    for (ArmId arm = 0; arm < 5; ++arm) {
      const auto features = rows.features(arm);
      EXPECT_EQ(features.data(), rows.data() + rows.row_of(arm) * rows.stride());
      ASSERT_EQ(features.size(), (dimension + 7) / 8 * 8);
      for (std::size_t j = 0; j < features.size(); ++j)
        EXPECT_EQ(features[j], j < dimension ? arms.at(arm, j) : 0.0);
    }
  }
}

TEST(PaddedRows, RowsStayWhereTheyAreAsOthersCome) {
  PaddedRows rows(test::normal_arms(1000, 4, 2));
  rows.row_of(500);
  PaddedRows copy = rows;
  const double* first = rows.features(500).data();
  const double* first_of_copy = copy.features(500).data();
  for (ArmId arm = 0; arm < 1000; ++arm) {
    rows.row_of(arm);
    copy.row_of(arm);
  }
  EXPECT_EQ(rows.features(500).data(), first);
  EXPECT_EQ(copy.features(500).data(), first_of_copy);
}

TEST(PaddedRows, ACopyGrowsOnItsOwn) {
  const Arms arms = test::normal_arms(8, 2, 3);
  PaddedRows rows(arms);
  rows.row_of(5);
  PaddedRows copy = rows;
  EXPECT_EQ(copy.row_of(6), 1U);
  EXPECT_EQ(rows.row_of(7), 1U);
  EXPECT_THAT(copy.features(5).first(2), ElementsAre(arms.at(5, 0), arms.at(5, 1)));
  EXPECT_THAT(copy.features(6).first(2), ElementsAre(arms.at(6, 0), arms.at(6, 1)));
  EXPECT_THAT(rows.features(7).first(2), ElementsAre(arms.at(7, 0), arms.at(7, 1)));
  copy = rows;
  EXPECT_THAT(copy.features(7).first(2), ElementsAre(arms.at(7, 0), arms.at(7, 1)));
  EXPECT_EQ(copy.row_of(6), 2U);
  EXPECT_EQ(rows.size(), 2U);
}

}  // namespace
}  // namespace phe
