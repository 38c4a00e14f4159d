#include "theory/constants.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "problems/linear.hpp"

namespace phe::theory {
namespace {

std::unique_ptr<const Instance> draw(std::size_t d, std::uint64_t i) {
  auto problem = LinearProblem::create({.dimension = d, .arms = 100});
  return std::move(problem->draw(StreamKey(1).with(i))).value();
}

// K = d = 2, arms (1, 1) and (0, 1): everything is known by hand.
Arms two_arms() { return Arms::from_rows({{1, 1}, {0, 1}}).value(); }

TEST(Geometry, IsRightForTwoArms) {
  const auto geometry = geometry_of(two_arms());
  ASSERT_TRUE(geometry.ok());
  EXPECT_EQ(geometry->arms, 2);
  EXPECT_EQ(geometry->dimension, 2);
  EXPECT_DOUBLE_EQ(geometry->largest_norm, std::sqrt(2.0));
  // sum x x^T = [1 1; 1 2] has eigenvalues (3 -+ sqrt 5) / 2.
  EXPECT_NEAR(geometry->basis_eigenvalue, (3 - std::sqrt(5.0)) / 2, 1e-15);
  EXPECT_EQ(geometry->shift, (std::vector<double>{0, 1}));
}

TEST(Geometry, TableRidgeIsAQuarterOfTheSmallestEigenvalueWithTheRidgeIn) {
  const auto geometry = geometry_of(draw(6, 0)->arms());
  const double lambda = geometry->table_ridge();
  EXPECT_DOUBLE_EQ(lambda, (geometry->basis_eigenvalue + lambda) / 4);
}

TEST(Geometry, FindsAShiftWithoutABiasFeatureAndSaysWhenThereIsNone) {
  // x^T s = 1 for (1, 0) and (0, 1) at s = (1, 1).
  const auto plane = geometry_of(Arms::from_rows({{1, 0}, {0, 1}, {0.5, 0.5}}).value());
  ASSERT_EQ(plane->shift.size(), 2U);
  EXPECT_NEAR(plane->shift[0], 1, 1e-12);
  EXPECT_NEAR(plane->shift[1], 1, 1e-12);
  EXPECT_NEAR(plane->shift_norm, std::sqrt(2.0), 1e-12);
  const auto none = geometry_of(Arms::from_rows({{1, 0}, {0, 1}, {1, 1}}).value());
  EXPECT_TRUE(none->shift.empty());
}

TEST(Geometry, RefusesArmsThatDoNotSpan) {
  const auto flat = geometry_of(Arms::from_rows({{1, 1}, {2, 2}}).value());
  ASSERT_FALSE(flat.ok());
  EXPECT_NE(flat.error().message.find("span only 1 of 2"), std::string::npos);
}

TEST(Parameter, IsRecoveredFromMeansAndRefusedWhenTheyAreNotLinear) {
  const auto instance = draw(5, 3);
  const auto theta = parameter_of(instance->arms(), instance->means());
  ASSERT_TRUE(theta.ok());
  EXPECT_NEAR(theta->back(), 0.5, 1e-12);  // by construction of the problem
  double squares = 0;
  for (const double x : theta.value()) squares += x * x;
  EXPECT_NEAR(squares, 0.5, 1e-12);
  std::vector<double> bent(instance->means().begin(), instance->means().end());
  bent[0] = 1 - bent[0];
  EXPECT_FALSE(parameter_of(instance->arms(), bent).ok());
}

TEST(ParameterNorm, ShiftsByHalfOfA) {
  const double theta[] = {0.3, 0.4};
  const double s[] = {0.0, 1.0};
  const auto norm = ParameterNorm::shifted(theta, s);
  EXPECT_DOUBLE_EQ(norm.at(0), 0.5);
  EXPECT_DOUBLE_EQ(norm.at(10), std::hypot(0.3, 5.4));
  EXPECT_GE(ParameterNorm::shifted_at_most(0.5, 1).at(10), norm.at(10));
  EXPECT_DOUBLE_EQ(ParameterNorm::shifted_at_most(0.5, 1).at(10), 5.5);
}

TEST(NormBound, IsNotBelowTheNormOfAnyBandit) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto instance = draw(5, i);
    // |theta| = sqrt(1/2) in every instance of the problem.
    EXPECT_GE(norm_bound(geometry_of(instance->arms()).value()), std::sqrt(0.5));
  }
}

TEST(Constants, MatchTable1ByHand) {
  const auto geometry = geometry_of(two_arms()).value();
  const double n = 1000, lambda = 0.1, a = 50;
  const auto c = constants_at(n, geometry, ParameterNorm::fixed(0.7), lambda, a);
  EXPECT_NEAR(c.c1,
              0.5 * std::sqrt(2 * std::log(n + n * n * 2 / (2 * lambda))) + std::sqrt(lambda) * 0.7,
              1e-12);
  EXPECT_NEAR(c.c2, std::sqrt(a * std::log(std::sqrt(4.0) * n)), 1e-12);
  EXPECT_NEAR(c.c3, 4 * std::log(1 + n * 2 / (2 * lambda)), 1e-12);
  EXPECT_DOUBLE_EQ(c.p1, 1e-3);
  EXPECT_DOUBLE_EQ(c.p2, 1e-6);
  EXPECT_NEAR(c.p3, (0.5 - 128 * c.c1 * c.c1 / 1e9) / (16 * std::log(n)), 1e-15);
}

TEST(Constants, P2FollowsFromLemma6AndTheUnionOverArms) {
  const auto c =
      constants_at(1e4, geometry_of(draw(5, 0)->arms()).value(), ParameterNorm::fixed(1), 0.1, 7);
  EXPECT_NEAR(c.arms * concentration_bound(c.c2, c.a) / c.p2, 1, 1e-9);
}

TEST(Constants, P3FollowsFromLemma7UpToTheCeilingOfA) {
  const auto geometry = geometry_of(draw(5, 0)->arms()).value();
  const auto norm = ParameterNorm::fixed(std::sqrt(0.5));
  const double lambda = geometry.table_ridge(), n = 1e3;
  const double a = *solve_scale(n, geometry, norm, lambda);
  const auto c = constants_at(n, geometry, norm, lambda, a);
  // Lemma 7 has 8a where Table 1 has 128 c1^2 <= 8a: Table 1 may be above by 8 / n^3 / (16 log n).
  const double lemma = anti_concentration_bound(n, 0.25, c.c1, a);
  EXPECT_GE(lemma, c.p3 - 8 * std::pow(n, -3) / (16 * std::log(n)) - 1e-15);
}

TEST(SolveScale, IsTheFixedPointOfTable1) {
  for (const double lambda : {1e-8, 1e-7, 1e-6, 1e-5}) {
    const auto geometry = geometry_of(draw(5, 1)->arms()).value();
    const auto norm = ParameterNorm::shifted_at_most(std::sqrt(0.5), geometry.shift_norm);
    const auto a = solve_scale(1e4, geometry, norm, lambda);
    ASSERT_TRUE(a.has_value()) << lambda;
    const double c1 = constants_at(1e4, geometry, norm, lambda, *a).c1;
    EXPECT_EQ(*a, std::ceil(16 * c1 * c1));
    // The smallest: iterating a <- ceil(16 c1(a)^2) from 0 climbs to it and no further.
    double climbing = 0;
    for (int i = 0; i < 10'000; ++i) {
      const double below = constants_at(1e4, geometry, norm, lambda, climbing).c1;
      climbing = std::ceil(16 * below * below);
    }
    EXPECT_EQ(*a, climbing);
  }
}

TEST(SolveScale, FindsNoneInThePapersProblemAsWritten) {
  // lambda of Table 1 is near 0.06; 4 lambda a^2 outgrows a before 16 c1^2 is reached.
  const auto geometry = geometry_of(draw(5, 0)->arms()).value();
  const auto norm = ParameterNorm::shifted_at_most(std::sqrt(0.5), 1);
  EXPECT_FALSE(solve_scale(1e4, geometry, norm, geometry.table_ridge()).has_value());
  EXPECT_TRUE(solve_scale(1e4, geometry, ParameterNorm::fixed(0.7), geometry.table_ridge()));
}

TEST(LargestRidge, SeparatesWhatAdmitsAScaleFromWhatDoesNot) {
  const auto geometry = geometry_of(draw(10, 2)->arms()).value();
  const auto norm = ParameterNorm::shifted_at_most(std::sqrt(0.5), 1);
  const double lambda = largest_ridge(1e4, geometry, norm);
  EXPECT_LT(lambda, geometry.table_ridge());
  EXPECT_TRUE(solve_scale(1e4, geometry, norm, lambda).has_value());
  EXPECT_FALSE(solve_scale(1e4, geometry, norm, lambda * 1.001).has_value());
  // With |theta| << a/2 the equation A + sqrt(lambda) a / 2 = sqrt(a) / 4 has a solution exactly
  // when 32 sqrt(lambda) A <= 1, A the first term of c1.
  const double A = c1_of(1e4, geometry, lambda, 0, 1e-4);
  EXPECT_NEAR(32 * std::sqrt(lambda) * A, 1, 0.02);
}

// (1 - 0.1 - 4 c^2 / a - 8 a / n^3) / (16 log n) at n = 1000, c = 0.2, a = 1; 2 exp(-2 c^2 / a).
TEST(Constants, BoundsOfTheLemmasHaveTheValuesWorkedOutByHand) {
  EXPECT_NEAR(anti_concentration_bound(1000, 0.1, 0.2, 1), 0.006695373190, 1e-12);
  EXPECT_NEAR(concentration_bound(0.2, 1), 2 * std::exp(-0.08), 1e-15);
}

}  // namespace
}  // namespace phe::theory
