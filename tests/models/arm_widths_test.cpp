#include "models/arm_widths.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/arms.hpp"

namespace phe {
namespace {

// Fixed arms, a Gram matrix and the widths that follow it.
struct Followed {
  Followed(const Arms& arms_, double ridge)
      : arms(arms_),
        offered(arms_),
        gram(arms_.dimension(), ridge),
        widths(arms_.dimension(), arms_.size()),
        row(arms_.dimension()) {}

  void pull(ArmId arm) {
    arms.copy_row(arm, row);
    gram.add(row, 1.0);
    widths.pulled(gram, {.row = 0, .reward_sum = 0.0, .pulls = 1, .arm = arm, .arms = &offered},
                  1.0);
  }
  std::span<const double> squared() {
    widths.bring_up_to_date(offered, gram, [] { return std::span<const double>(); });
    return widths.squared();
  }

  Arms arms;
  Offered offered;
  RidgeModel gram;
  ArmWidths widths;
  std::vector<double> row;
};

// How many pulls come between two looks: one, as many as are followed, and more.
class ArmWidthsFollow : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Pulls, ArmWidthsFollow, testing::Values(1, 3, 8, 9, 30));

TEST_P(ArmWidthsFollow, EqualThoseOfTheDenseGramMatrix) {
  for (const double ridge : {1.0, 1e-6}) {
    const Arms arms = test::normal_arms(13, 4, 1);
    Followed followed(arms, ridge);
    Eigen::MatrixXd gram = ridge * Eigen::MatrixXd::Identity(4, 4);
    Rng rng(2);
    for (int t = 0; t < 10'000; ++t) {
      const auto pulled = static_cast<ArmId>(rng.below(13));
      followed.pull(pulled);
      gram += test::row_of(arms, pulled) * test::row_of(arms, pulled).transpose();
      if (t % GetParam() != 0) continue;
      const auto squared = followed.squared();
      if (t % 997 >= GetParam() && t > 8) continue;
      const Eigen::LDLT<Eigen::MatrixXd> solver(gram);
      for (ArmId arm = 0; arm < 13; ++arm) {
        const Eigen::VectorXd x = test::row_of(arms, arm);
        const double expected = x.dot(solver.solve(x));
        // The first pulls at a tiny ridge leave 1e-16 of the widths before them.
        EXPECT_NEAR(squared[arm], expected, 1e-8 * expected + 1e-15 / ridge)
            << "round " << t << ", ridge " << ridge;
      }
    }
  }
}

TEST(ArmWidths, AreThoseOfTheRoundsActionsInContexts) {
  Offered offered(Arms::none(3));
  RidgeModel gram(3, 1.0);
  ArmWidths widths(3, 0);
  Rng rng(3);
  for (const std::size_t count : {5, 20, 3}) {
    const auto features = test::normal_vector(3 * count, rng);
    ASSERT_TRUE(offered.offer(Actions::rows(count, features)).ok());
    gram.add(std::span(features).first(3), 1.0);
    widths.bring_up_to_date(offered, gram, [] { return std::span<const double>(); });
    for (std::size_t k = 0; k < count; ++k)
      EXPECT_EQ(widths.squared()[k], gram.squared_width(std::span(features).subspan(3 * k, 3)));
  }
}

TEST(ArmWidths, FindTheLongestArm) {
  EXPECT_EQ(largest_squared_norm(Arms::from_rows({{1, 2}, {-3, 1}, {0, 0}}).value()), 10.0);
}

}  // namespace
}  // namespace phe
