#include "logs/estimators.hpp"

#include <gtest/gtest.h>

#include "logs/slow_estimators.hpp"
#include "phe/rng.hpp"

namespace phe::logs {
namespace {

constexpr WeightLimits limits{.clip = 1.5, .switch_at = 2.0, .shrinkage = 0.7};

// Weights on both sides of the limits and on them, some of them 0.
test::Rows random_rows(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  test::Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double w = 0.25 * static_cast<double>(rng.below(17));
    rows.push_back({w, to_unit(rng()), to_unit(rng()), to_unit(rng())});
  }
  return rows;
}

Moments moments_of(const test::Rows& rows, double multiplicity = 1.0) {
  Moments moments;
  for (const auto& [w, r, dm, q] : rows)
    moments.add(columns_of(w, r, multiplicity, {dm, q}, limits));
  return moments;
}

TEST(Estimators, AllEqualTheirFormulasWrittenOut) {
  for (const std::size_t n : {2, 3, 7, 100, 5000}) {
    const test::Rows rows = random_rows(n, n);
    const Moments moments = moments_of(rows);
    const auto slow = test::slow_estimates(rows, limits.clip, limits.switch_at, limits.shrinkage);
    EXPECT_EQ(estimators(true).size(), 8U);
    for (const Estimator& estimator : estimators(true)) {
      SCOPED_TRACE(std::string(estimator.name));
      const auto& expected = slow.at(std::string(estimator.name));
      EXPECT_NEAR(estimator.value(moments.mean()), expected.value, 1e-13);
      EXPECT_NEAR(estimator.standard_error(moments), expected.se, 1e-13);
    }
  }
}

TEST(Estimators, ARowThatStandsForSeveralCountsSeveralTimes) {
  // One row of multiplicity 3 gives the value of three rows; the SE knows that it was seen once.
  test::Rows rows = random_rows(50, 1);
  Moments once = moments_of(rows);
  once.add(columns_of(2.0, 1.0, 3.0, {0.5, 0.25}, limits));
  rows.insert(rows.end(), 3, {2.0, 1.0, 0.5, 0.25});
  const Moments thrice = moments_of(rows);
  for (const Estimator& estimator : estimators(true)) {
    EXPECT_NEAR(estimator.value(once.mean()), estimator.value(thrice.mean()), 1e-13)
        << estimator.name;
    EXPECT_NE(estimator.standard_error(once), estimator.standard_error(thrice));
  }
}

TEST(Estimators, TheSameMultiplicityForAllChangesNothing) {
  const test::Rows rows = random_rows(200, 2);
  const Moments plain = moments_of(rows);
  const Moments thinned = moments_of(rows, 4.0);
  for (const Estimator& estimator : estimators(true)) {
    EXPECT_NEAR(estimator.value(plain.mean()), estimator.value(thinned.mean()), 1e-13);
    EXPECT_NEAR(estimator.standard_error(plain), estimator.standard_error(thinned), 1e-13);
  }
}

TEST(Estimators, WithoutAnyWeightNothingSelfNormalisedHasAValue) {
  const Moments moments = moments_of({{0.0, 1.0, 0.5, 0.5}, {0.0, 0.0, 0.5, 0.5}});
  for (const Estimator& estimator : estimators(true)) {
    const bool normalised = estimator.denominator == weight;
    EXPECT_EQ(std::isnan(estimator.value(moments.mean())), normalised) << estimator.name;
  }
}

TEST(Estimators, WithoutAModelThereAreThree) {
  ASSERT_EQ(estimators(false).size(), 3U);
  EXPECT_EQ(estimators(false)[2].name, "snips");
}

}  // namespace
}  // namespace phe::logs
