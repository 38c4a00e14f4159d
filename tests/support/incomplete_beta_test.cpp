#include "support/incomplete_beta.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace phe {
namespace {

TEST(IncompleteBeta, EqualsTheBinomialTail) {
  // I_p(k, m - k + 1) = P(B(m, p) >= k).
  const double p = 0.3;
  const int m = 12;
  for (int k = 1; k <= m; ++k) {
    double tail = 0;
    for (int j = k; j <= m; ++j)
      tail += std::exp(std::lgamma(m + 1) - std::lgamma(j + 1) - std::lgamma(m - j + 1)) *
              std::pow(p, j) * std::pow(1 - p, m - j);
    EXPECT_NEAR(incomplete_beta(k, m - k + 1, p), tail, 1e-13) << k;
  }
}

TEST(IncompleteBeta, HasItsClosedFormsAndSymmetry) {
  for (const double x : {0.0, 1e-9, 0.1, 0.5, 0.99, 1.0}) {
    EXPECT_NEAR(incomplete_beta(1, 1, x), x, 1e-15);
    EXPECT_NEAR(incomplete_beta(3, 1, x), x * x * x, 1e-15);
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, x), 2 / M_PI * std::asin(std::sqrt(x)), 1e-14);
    EXPECT_NEAR(incomplete_beta(2.5, 7, x), 1 - incomplete_beta(7, 2.5, 1 - x), 1e-14);
  }
}

}  // namespace
}  // namespace phe
