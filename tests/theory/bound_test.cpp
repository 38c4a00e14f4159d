#include "theory/bound.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "problems/linear.hpp"

namespace phe::theory {
namespace {

Setting paper_setting(std::size_t d, std::uint64_t i = 0) {
  auto problem = LinearProblem::create({.dimension = d, .arms = 100});
  const auto instance = std::move(problem->draw(StreamKey(1).with(i))).value();
  return setting_of(instance->arms(), instance->means()).value();
}

TEST(RegretBound, IsTheoremOneByHand) {
  Constants c;
  c.rounds = 100;
  c.dimension = 3;
  c.c1 = 2;
  c.c2 = 4;
  c.c3 = 9;
  c.p1 = 0.01;
  c.p2 = 0.001;
  c.p3 = 0.101;
  EXPECT_NEAR(regret_bound(c), 6 * 21 * 30 + 0.011 * 100 + 3, 1e-9);
  c.p3 = c.p2;
  EXPECT_EQ(regret_bound(c), std::numeric_limits<double>::infinity());
}

TEST(Objections, SayInWordsWhatIsVacuous) {
  const auto setting = paper_setting(5);
  const auto at = [&](double n) { return objections(*table_1(Reading::unshifted, n, setting)); };
  ASSERT_EQ(at(1e4).size(), 1U);
  EXPECT_NE(at(1e4)[0].find("the bound says nothing"), std::string::npos);
  EXPECT_NE(at(20)[0].find("does not apply: it needs n >"), std::string::npos);
  EXPECT_NE(at(10).at(1).find("there is no bound: p₃"), std::string::npos);
  EXPECT_TRUE(at(1e15).empty());
}

TEST(Table1, HasNoScaleAsWrittenButHasOneInTheOtherReadings) {
  const auto setting = paper_setting(10, 1);
  EXPECT_FALSE(table_1(Reading::as_written, 1e4, setting).has_value());
  for (const Reading reading : {Reading::unshifted, Reading::smaller_ridge}) {
    const auto c = table_1(reading, 1e4, setting);
    ASSERT_TRUE(c.has_value());
    EXPECT_EQ(c->a, std::ceil(16 * c->c1 * c->c1));
    EXPECT_LE(c->lambda, setting.geometry.table_ridge());
  }
}

TEST(Table1, SmallerRidgeMakesTheBoundSmallest) {
  const auto setting = paper_setting(5);
  const auto best = *table_1(Reading::smaller_ridge, 1e4, setting);
  const auto norm = ParameterNorm::shifted(setting.theta, setting.geometry.shift);
  for (const double factor : {0.1, 0.5, 2.0, 10.0}) {
    const double lambda = best.lambda * factor;
    const auto a = solve_scale(1e4, setting.geometry, norm, lambda);
    if (a) {
      EXPECT_GE(regret_bound(constants_at(1e4, setting.geometry, norm, lambda, *a)),
                regret_bound(best));
    }
  }
}

TEST(FirstInformativeRound, IsWhereTheBoundCrossesN) {
  const auto setting = paper_setting(5);
  const double n = *first_informative_round(Reading::unshifted, setting);
  EXPECT_LT(regret_bound(*table_1(Reading::unshifted, n, setting)), n);
  EXPECT_GE(regret_bound(*table_1(Reading::unshifted, n * 0.999, setting)), n * 0.999);
}

TEST(RegretBound, GrowsLikeTheSquareRootOfNUpToLogarithms) {
  const auto setting = paper_setting(10);
  const auto at = [&](double n) {
    return std::log(regret_bound(*table_1(Reading::unshifted, n, setting)));
  };
  const double slope = (at(1e12) - at(1e10)) / std::log(100);
  EXPECT_GT(slope, 0.5);
  EXPECT_LT(slope, 0.65);  // log^2.5 n adds 2.5 / log n = 0.1
}

}  // namespace
}  // namespace phe::theory
