#include "report/student_t.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace phe {
namespace {

// With 1, 2 and 4 degrees of freedom the distribution has a closed form.
TEST(StudentT, AgreesWithTheClosedForms) {
  for (const double t : {-30.0, -2.5, -0.3, 0.0, 0.1, 1.0, 4.0, 80.0}) {
    EXPECT_NEAR(student_t_cdf(t, 1), 0.5 + std::atan(t) / M_PI, 1e-13);
    EXPECT_NEAR(student_t_cdf(t, 2), 0.5 + 0.5 * t / std::sqrt(2 + t * t), 1e-13);
    const double u = t / std::sqrt(4 + t * t);
    EXPECT_NEAR(student_t_cdf(t, 4), 0.5 + 0.75 * (u - u * u * u / 3), 1e-13);
  }
}

// The usual printed table, one-sided 1% and 2.5%.
TEST(StudentT, QuantilesAreThoseOfThePrintedTable) {
  EXPECT_NEAR(student_t_quantile(0.99, 1), 31.821, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 4), 3.747, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 9), 2.821, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 19), 2.539, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 60), 2.390, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 99), 2.365, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.228, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.99, 1e9), 2.3263, 5e-5);  // the normal distribution
}

TEST(StudentT, QuantilesOfBothTailsMirrorEachOther) {
  for (const double p : {0.01, 0.2, 0.499}) {
    EXPECT_EQ(student_t_quantile(p, 7), -student_t_quantile(1 - p, 7));
    EXPECT_NEAR(student_t_cdf(student_t_quantile(p, 7), 7), p, 1e-12);
  }
  EXPECT_NEAR(student_t_quantile(0.5, 7), 0.0, 1e-12);
}

TEST(StudentT, AllOfTheMassLiesBetweenTheInfinities) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(student_t_cdf(-infinity, 9), 0.0);
  EXPECT_EQ(student_t_cdf(infinity, 9), 1.0);
}

}  // namespace
}  // namespace phe
