#include "kernels/score_rows.hpp"

#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/aligned_vector.hpp"
#include "kernels/score_arms.hpp"
#include "kernels/transpose.hpp"
#include "support/arms.hpp"
#include "support/simd.hpp"

namespace phe::kernels {
namespace {

using ::testing::Combine;
using ::testing::ElementsAreArray;
using ::testing::Range;
using ::testing::Values;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class ScoreRows : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  ScoreRows() {
    Rng rng(41);
    rows_ = test::normal_vector(count_ * dimension_, rng);
    theta_ = test::normal_vector(dimension_, rng);
  }

  std::size_t count_ = std::get<0>(GetParam());
  std::size_t dimension_ = std::get<1>(GetParam());
  std::vector<double> rows_;
  std::vector<double> theta_;
  std::vector<double> scores_ = std::vector<double>(padded(count_), nan);
};

INSTANTIATE_TEST_SUITE_P(Tails, ScoreRows,
                         Combine(Values(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 100),
                                 Values(1, 2, 3, 4, 5, 8, 9, 20)));

TEST_P(ScoreRows, EveryTargetGivesTheBitsOfTheScalarTwin) {
  scalar::score_rows(rows_, theta_, scores_);
  test::on_every_target([&] {
    std::vector<double> scores(scores_.size(), nan);
    score_rows(rows_, theta_, scores);
    EXPECT_THAT(scores, ElementsAreArray(scores_));
  });
}

TEST_P(ScoreRows, AFeatureThatIsNotFiniteIsSeenWhereverItIs) {
  EXPECT_TRUE(scalar::score_rows(rows_, theta_, scores_));
  test::on_every_target([&] { EXPECT_TRUE(score_rows(rows_, theta_, scores_)); });
  for (const double bad : {nan, infinity, -infinity})
    for (std::size_t place = 0; place < rows_.size(); place += 1 + place / 9) {
      const double good = std::exchange(rows_[place], bad);
      EXPECT_FALSE(scalar::score_rows(rows_, theta_, scores_));
      test::on_every_target(
          [&] { EXPECT_FALSE(score_rows(rows_, theta_, scores_)) << "place " << place; });
      rows_[place] = good;
    }
}

TEST_P(ScoreRows, TheyAreTheScoresOfTheSameRowsAsColumnsToTheBit) {
  score_rows(rows_, theta_, scores_);
  AlignedVector columns(padded(count_) * dimension_);
  transpose_rows(rows_.data(), count_, dimension_, columns.data(), padded(count_));
  std::vector<double> expected(scores_.size());
  score_arms({columns.data(), dimension_, count_, padded(count_)}, theta_, expected);
  EXPECT_THAT(scores_, ElementsAreArray(expected));
}

class AllFinite : public ::testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Tails, AllFinite, Range<std::size_t>(0, 70));

TEST_P(AllFinite, EveryTargetFindsAValueThatIsNotFiniteWhereverItIs) {
  constexpr double largest = std::numeric_limits<double>::max();
  std::vector<double> values(GetParam(), largest);
  test::on_every_target([&] { EXPECT_TRUE(all_finite(values)); });
  EXPECT_TRUE(scalar::all_finite(values));
  for (double& value : values)
    for (const double bad : {nan, infinity, -infinity}) {
      value = bad;
      EXPECT_FALSE(scalar::all_finite(values));
      test::on_every_target([&] { EXPECT_FALSE(all_finite(values)) << bad; });
      value = largest;
    }
}

}  // namespace
}  // namespace phe::kernels
