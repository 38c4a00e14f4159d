#include "theory/growth.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/normal.hpp"
#include "phe/rng.hpp"

namespace phe::theory {
namespace {

TEST(FitSlope, FindsTheExponentOfAPower) {
  const std::vector<double> x{10, 100, 1000, 10'000};
  std::vector<std::vector<double>> regret;
  for (const double n : x) regret.push_back({3 * std::pow(n, 0.7), 5 * std::pow(n, 0.7)});
  const Slope slope = fit_slope(x, regret);
  EXPECT_NEAR(slope.exponent, 0.7, 1e-12);
  EXPECT_NEAR(slope.standard_error, 0, 1e-12);
  for (const double local : local_slopes(x, regret)) EXPECT_NEAR(local, 0.7, 1e-12);
}

TEST(FitSlope, StandardErrorIsThatOfTheExponentOverInstances) {
  // Instance j has regret n^b_j with b_j = 0.5 + 0.01 z_j, so the exponent of the mean has standard
  // error near 0.01 / sqrt(50); a factor of 2 either way is beyond chance and curvature.
  const std::vector<double> x{100, 1000, 10'000};
  std::vector<std::vector<double>> regret(x.size(), std::vector<double>(50));
  Rng rng(4);
  for (std::size_t j = 0; j < 50; ++j) {
    const double b = 0.5 + 0.01 * kernels::normal(rng);
    for (std::size_t i = 0; i < x.size(); ++i) regret[i][j] = std::pow(x[i], b);
  }
  const Slope slope = fit_slope(x, regret);
  EXPECT_NEAR(slope.exponent, 0.5, 5 * 0.01 / std::sqrt(50.0));
  EXPECT_GT(slope.standard_error, 0.5 * 0.01 / std::sqrt(50.0));
  EXPECT_LT(slope.standard_error, 2 * 0.01 / std::sqrt(50.0));
}

TEST(FitSlope, HasNoErrorToTellForASingleInstance) {
  EXPECT_EQ(fit_slope(std::vector<double>{1, 10}, {{1}, {10}}).standard_error, 0);
}

}  // namespace
}  // namespace phe::theory
