#include "logs/kept_rows.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "phe/rng.hpp"

namespace phe::logs {
namespace {

std::vector<Column> all_columns() {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < column_count; ++i) columns.push_back(static_cast<Column>(i));
  return columns;
}

KeptRows random_rows(std::size_t count) {
  Rng rng(5);
  KeptRows rows(all_columns());
  for (std::size_t i = 0; i < count; ++i)
    rows.add(columns_of(2.0 * to_unit(rng()), to_unit(rng()), 1.0, {}, {}));
  return rows;
}

TEST(KeptRows, ColumnsComeBackInTheOrderOfTheRows) {
  KeptRows rows({clipped, ips});
  rows.add(columns_of(20.0, 1.0, 1.0, {}, {.clip = 5.0}));
  rows.add(columns_of(1.0, 0.5, 1.0, {}, {.clip = 5.0}));
  EXPECT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.column(ips), (std::vector<double>{20.0, 0.5}));
  EXPECT_EQ(rows.column(clipped), (std::vector<double>{5.0, 0.5}));
}

TEST(Bootstrap, SameSeedSameIntervalsAndAnotherSeedOthers) {
  const KeptRows rows = random_rows(50);
  const auto first = bootstrap_intervals(rows, estimators(false), 100, 1, 0.95);
  const auto again = bootstrap_intervals(rows, estimators(false), 100, 1, 0.95);
  const auto other = bootstrap_intervals(rows, estimators(false), 100, 2, 0.95);
  EXPECT_EQ(first[0].low, again[0].low);
  EXPECT_NE(first[0].low, other[0].low);
}

TEST(Bootstrap, IsAsWideAsTheStandardErrorSaysAndNormalisesEachResample) {
  const KeptRows rows = random_rows(2000);
  Moments moments;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row{};
    std::ranges::copy(rows.row(i), row.begin());
    moments.add(row);
  }
  const auto list = estimators(false);
  const auto intervals = bootstrap_intervals(rows, list, 2000, 3, 0.95);
  for (std::size_t e = 0; e < list.size(); ++e) {
    const double se = list[e].standard_error(moments);
    // Each end is a 2.5% quantile of 2000 draws: its error is sqrt(p (1 - p) / B) / density, which
    // is 0.06 SE. Five of those. SNIPS is far narrower than IPS here, so a fixed denominator fails.
    EXPECT_NEAR(intervals[e].low, list[e].value(moments.mean()) - 1.96 * se, 0.3 * se);
    EXPECT_NEAR(intervals[e].high, list[e].value(moments.mean()) + 1.96 * se, 0.3 * se);
  }
  EXPECT_LT(list[2].standard_error(moments), 0.8 * list[0].standard_error(moments));
}

}  // namespace
}  // namespace phe::logs
