#include "policies/lin_ucb.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "policies/twin.hpp"
#include "support/learning.hpp"

namespace phe::test {
namespace {

using enum Radius;

double longest(const Arms& arms) {
  double norm = 0;
  for (ArmId arm = 0; arm < arms.size(); ++arm) norm = std::max(norm, row_of(arms, arm).norm());
  return norm;
}

// The radius by its formula, for d = 4, n = 300, ridge 0.7 and the options of the test below.
double formula(Radius radius, const Arms& arms, const DenseRidge& twin) {
  const double ridge = 0.7;
  const double delta = 1.0 / 300;
  const double bias = std::sqrt(ridge) * 2;  // S = sqrt(d)
  if (radius == constant) return 0.8;
  if (radius == authors) {
    const double growth = 1 + 300 * longest(arms) * longest(arms) / ridge;
    return bias + 0.5 * std::sqrt(4 * std::log(growth / delta));
  }
  const double ratio = twin.gram.determinant() / std::pow(ridge, 4);
  return bias + 0.5 * std::sqrt(2 * std::log(std::sqrt(ratio) / delta));
}

class LinUcbTwin : public testing::TestWithParam<Radius> {};
INSTANTIATE_TEST_SUITE_P(Radii, LinUcbTwin, testing::Values(authors, theorem, constant));

TEST_P(LinUcbTwin, PullsTheArmsOfTheHighestDenseUpperBound) {
  const Arms arms = normal_arms(13, 4, 1);
  LinUcbOptions options;
  options.radius = GetParam();
  options.width = 0.8;
  options.ridge = 0.7;
  options.rounds = 300;
  Learning<LinUcb> policy(arms, LinUcb::create(arms, options));
  const double weight = GetParam() == authors ? 4.0 : 1.0;  // 1 / sigma^2
  DenseRidge twin(4, 0.7);
  Rng rng(3);
  for (std::uint64_t t = 1; t <= 300; ++t) {
    const double radius = formula(GetParam(), arms, twin);
    ASSERT_NEAR(policy.learner().radius(), radius, 1e-12 * radius);
    std::vector<double> bounds = dense_scores(arms, twin.estimate());
    for (ArmId arm = 0; arm < 13; ++arm)
      bounds[arm] += radius * std::sqrt(twin.squared_width(row_of(arms, arm)));
    const ArmId arm = policy.select(rng);
    ASSERT_EQ(arm, dense_best(bounds, rng)) << "round " << t;
    policy.update(arm, coin(arm, t));
    twin.add(row_of(arms, arm), coin(arm, t), weight);
  }
}

TEST(LinUcb, FollowedMeansAndWidthsStayThoseOfTheDenseModelOverManyPulls) {
  for (const double ridge : {1.0, 1e-3}) {
    const Arms arms = normal_arms(21, 6, 2);
    LinUcbOptions options;
    options.ridge = ridge;
    Learning<LinUcb> policy(arms, LinUcb::create(arms, options));
    DenseRidge twin(6, ridge);
    Rng rng(5);
    // 4095 pulls is just short of a refresh, 10,000 is past the second.
    for (std::uint64_t t = 1; t <= 10'000; ++t) {
      const auto arm = static_cast<ArmId>(rng.below(t < 5'000 ? 21 : 3));
      policy.update(arm, fraction(arm, t));
      twin.add(row_of(arms, arm), fraction(arm, t), 4.0);
      static_cast<void>(policy.learner().bounds(policy.offered()));  // as each round does
      if (t != 1 && t != 100 && t != 4'095 && t != 4'097 && t != 10'000) continue;
      const auto means = dense_scores(arms, twin.estimate());
      const ArmWidths& bounds = policy.learner().bounds(policy.offered());
      for (ArmId k = 0; k < 21; ++k) {
        EXPECT_NEAR(bounds.means()[k], means[k], 1e-9) << t;
        const double width = twin.squared_width(row_of(arms, k));
        EXPECT_NEAR(bounds.squared()[k], width, 1e-9 * width + 1e-13) << t;
      }
    }
  }
}

TEST(LinUcb, RefusesNumbersThatCannotWork) {
  const Arms arms = normal_arms(3, 2, 1);
  const auto message = [&](auto change) {
    LinUcbOptions options;
    change(options);
    return LinUcb::create(arms, options).error().message;
  };
  EXPECT_EQ(message([](auto& o) { o.ridge = 0; }), "linucb: ridge must be > 0 and finite, got 0");
  EXPECT_EQ(message([](auto& o) { o.delta = 1; }),
            "linucb: delta must be at least 1e-300 and below 1, got 1");
  EXPECT_EQ(message([](auto& o) { o.parameter_norm = -1; }),
            "linucb: S must be > 0 and finite, got -1");
}

}  // namespace
}  // namespace phe::test
