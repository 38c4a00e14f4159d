#include "logs/joint_moments.hpp"

#include <gtest/gtest.h>

#include "phe/rng.hpp"
#include "support/statistics.hpp"

namespace phe::logs {
namespace {

using Three = JointMoments<3>;

std::vector<Three::Row> random_rows(std::size_t count, double offset) {
  Rng rng(7);
  std::vector<Three::Row> rows(count);
  for (auto& row : rows)
    for (double& value : row) value = offset + to_unit(rng());
  return rows;
}

void expect_equal(const Three& moments, const std::vector<Three::Row>& rows, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      std::vector<double> x;
      std::vector<double> y;
      for (const auto& row : rows) {
        x.push_back(row[i]);
        y.push_back(row[j]);
      }
      EXPECT_NEAR(moments.mean()[i], test::mean(x), tolerance);
      EXPECT_NEAR(moments.covariance(i, j), test::covariance(x, y), tolerance);
    }
}

TEST(JointMoments, EqualMeansAndCovariancesInTwoPasses) {
  const auto rows = random_rows(1000, 0.0);
  Three moments;
  for (const auto& row : rows) moments.add(row);
  expect_equal(moments, rows, 1e-14);
}

TEST(JointMoments, PartsAddUpToTheWholeWhereverItIsCut) {
  const auto rows = random_rows(100, 0.0);
  for (const std::size_t cut : {0, 1, 50, 99, 100}) {
    Three first;
    Three second;
    for (std::size_t i = 0; i < rows.size(); ++i) (i < cut ? first : second).add(rows[i]);
    first.add(second);
    EXPECT_EQ(first.count(), rows.size());
    expect_equal(first, rows, 1e-14);
  }
}

TEST(JointMoments, AFarOffsetDoesNotCancelTheVariance) {
  const auto rows = random_rows(1000, 1e9);
  Three moments;
  for (const auto& row : rows) moments.add(row);
  EXPECT_NEAR(moments.covariance(0, 0), 1.0 / 12, 0.01);
}

TEST(JointMoments, OneRowHasNoVariance) {
  Three moments;
  moments.add(Three::Row{1.0, 2.0, 3.0});
  EXPECT_EQ(moments.variance_of({1.0, 1.0, 1.0}), 0.0);
}

}  // namespace
}  // namespace phe::logs
