#include "models/arm_widths.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/arms.hpp"

namespace phe {
namespace {

TEST(ArmWidths, EqualThoseOfTheDenseGramMatrix) {
  for (const double ridge : {1.0, 1e-6}) {
    const Arms arms = test::normal_arms(13, 4, 1);
    ArmWidths widths(arms, ridge);
    Eigen::MatrixXd gram = ridge * Eigen::MatrixXd::Identity(4, 4);
    Rng rng(2);
    for (int t = 0; t < 10'000; ++t) {
      const auto pulled = static_cast<ArmId>(rng.below(13));
      widths.pulled(pulled);
      gram += test::row_of(arms, pulled) * test::row_of(arms, pulled).transpose();
      if (t % 997 != 0 && t > 8) continue;
      const Eigen::LDLT<Eigen::MatrixXd> solver(gram);
      for (ArmId arm = 0; arm < 13; ++arm) {
        const Eigen::VectorXd x = test::row_of(arms, arm);
        const double squared = x.dot(solver.solve(x));
        // The first pulls at a tiny ridge leave 1e-16 of the widths before them.
        EXPECT_NEAR(widths.squared()[arm], squared, 1e-8 * squared + 1e-15 / ridge)
            << "round " << t << ", ridge " << ridge;
      }
    }
  }
}

TEST(ArmWidths, FindTheLongestArm) {
  EXPECT_EQ(largest_squared_norm(Arms::from_rows({{1, 2}, {-3, 1}, {0, 0}}).value()), 10.0);
}

}  // namespace
}  // namespace phe
