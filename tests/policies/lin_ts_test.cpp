#include "policies/lin_ts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "policies/twin.hpp"
#include "support/learning.hpp"

namespace phe::test {
namespace {

class LinTsTwin : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(PlainAndInflated, LinTsTwin, testing::Bool());

TEST_P(LinTsTwin, PullsTheBestArmUnderTheDenseMeanPlusItsRootTimesTheSameNormals) {
  const bool inflated = GetParam();
  const Arms arms = normal_arms(13, 4, 1);
  LinTsOptions options;
  options.inflated = inflated;
  options.rounds = 300;
  Learning<LinTs> policy(arms, LinTs::create(arms, options));
  DenseRidge twin(4, 1.0);
  Rng rng(3);
  Rng twin_rng(3);
  for (std::uint64_t t = 1; t <= 300; ++t) {
    const double v =
        inflated ? 0.5 * std::sqrt(9 * 4 * std::log(static_cast<double>(t) * 300)) : 1.0;
    ASSERT_NEAR(policy.learner().inflation(), v, 1e-12 * v);
    // Any root of the covariance will do; the policy's own is checked in posterior_test.cpp.
    Eigen::MatrixXd root(4, 4);
    for (Eigen::Index i = 0; i < 4; ++i)
      for (Eigen::Index j = 0; j < 4; ++j)
        root(i, j) = policy.learner().posterior().root(static_cast<std::size_t>(i),
                                                       static_cast<std::size_t>(j));
    Eigen::VectorXd z(4);
    for (double& entry : z) entry = v * kernels::normal(twin_rng);
    const auto scores = dense_scores(arms, twin.estimate() + root * z);
    const ArmId arm = policy.select(rng);
    ASSERT_EQ(arm, dense_best(scores, twin_rng)) << "round " << t;
    policy.update(arm, coin(arm, t));
    twin.add(row_of(arms, arm), coin(arm, t), inflated ? 1.0 : 4.0);
  }
}

TEST(LinTs, RefusesNumbersThatCannotWork) {
  const Arms arms = normal_arms(3, 2, 1);
  LinTsOptions options;
  options.sigma = 0;
  EXPECT_EQ(LinTs::create(arms, options).error().message,
            "lints: sigma must be > 0 and finite, got 0");
}

}  // namespace
}  // namespace phe::test
