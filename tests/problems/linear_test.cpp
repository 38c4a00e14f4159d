#include "problems/linear.hpp"

#include <cmath>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/sphere.hpp"
#include "support/statistics.hpp"

namespace phe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::unique_ptr<const Instance> draw(const LinearOptions& options, std::uint64_t seed) {
  return LinearProblem::create(options).value().draw(StreamKey(seed)).value();
}

TEST(LinearProblem, MeansLieInTheUnitIntervalAndFeaturesOnTheSphereWithABias) {
  for (const std::size_t d : {2, 3, 5, 20})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto instance = draw({.dimension = d, .arms = 50}, seed);
      const Arms& arms = instance->arms();
      ASSERT_EQ(arms.size(), 50U);
      ASSERT_EQ(arms.dimension(), d);
      for (ArmId arm = 0; arm < 50; ++arm) {
        EXPECT_GE(instance->means()[arm], 0.0);
        EXPECT_LE(instance->means()[arm], 1.0);
        EXPECT_EQ(arms.at(arm, d - 1), 1.0);
        double squares = 0;
        for (std::size_t j = 0; j + 1 < d; ++j) squares += arms.at(arm, j) * arms.at(arm, j);
        EXPECT_NEAR(squares, 1.0, 1e-14);
      }
    }
}

TEST(LinearProblem, MeansAreLinearWithAParameterOfTheRightNorms) {
  // theta is solved for from the means: |theta_1 .. theta_(d-1)| = 1/2 and theta_d = 1/2.
  for (const std::size_t d : {2, 3, 6}) {
    const auto instance = draw({.dimension = d, .arms = 40}, 3);
    const auto columns = static_cast<Eigen::Index>(d);
    Eigen::MatrixXd x(40, columns);
    Eigen::VectorXd means(40);
    for (ArmId arm = 0; arm < 40; ++arm) {
      means(arm) = instance->means()[arm];
      for (std::size_t j = 0; j < d; ++j)
        x(arm, static_cast<Eigen::Index>(j)) = instance->arms().at(arm, j);
    }
    const Eigen::VectorXd theta = x.colPivHouseholderQr().solve(means);
    EXPECT_LT((x * theta - means).norm(), 1e-12);
    EXPECT_NEAR(theta.head(columns - 1).norm(), 0.5, 1e-12);
    EXPECT_NEAR(theta(columns - 1), 0.5, 1e-12);
  }
}

TEST(LinearProblem, GapsAreAgainstTheBestArm) {
  const auto instance = draw({.dimension = 4, .arms = 30}, 4);
  double best = 0;
  for (const double mean : instance->means()) best = std::max(best, mean);
  double smallest = 1;
  for (ArmId arm = 0; arm < 30; ++arm) {
    EXPECT_EQ(instance->gap(arm), best - instance->means()[arm]);
    smallest = std::min(smallest, instance->gap(arm));
  }
  EXPECT_EQ(smallest, 0.0);
}

TEST(LinearProblem, SameKeySameInstanceOtherKeyAnother) {
  const LinearOptions options{.dimension = 5, .arms = 20};
  const auto a = draw(options, 5);
  const auto b = draw(options, 5);
  const auto c = draw(options, 6);
  int equal = 0;
  for (ArmId arm = 0; arm < 20; ++arm) {
    EXPECT_EQ(a->means()[arm], b->means()[arm]);
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(a->arms().at(arm, j), b->arms().at(arm, j));
    for (std::uint64_t t = 0; t < 50; ++t) EXPECT_EQ(a->reward(t, arm), b->reward(t, arm));
    equal += a->means()[arm] == c->means()[arm] ? 1 : 0;
  }
  EXPECT_EQ(equal, 0);
}

TEST(LinearProblem, RewardsArePureFunctionsOfRoundAndArm) {
  for (const RewardLaw law : {RewardLaw::bernoulli, RewardLaw::beta}) {
    const auto instance = draw({.dimension = 3, .arms = 5, .rewards = {.law = law}}, 7);
    std::vector<double> forward;
    for (std::uint64_t t = 0; t < 100; ++t)
      for (ArmId arm = 0; arm < 5; ++arm) forward.push_back(instance->reward(t, arm));
    for (std::size_t i = forward.size(); i-- > 0;)
      EXPECT_EQ(instance->reward(i / 5, static_cast<ArmId>(i % 5)), forward[i]);
  }
}

TEST(LinearProblem, OptionsOutOfRangeAreRefusedByNameAndValue) {
  const auto error = [](const LinearOptions& options) -> std::string {
    const auto problem = LinearProblem::create(options);
    return problem ? "no error" : problem.error().message;
  };
  EXPECT_THAT(error({.dimension = 1}), AllOf(HasSubstr("d must be"), HasSubstr("got 1")));
  EXPECT_THAT(error({.dimension = 10'001}), HasSubstr("got 10001"));
  EXPECT_THAT(error({.arms = 0}), AllOf(HasSubstr("arms must be"), HasSubstr("got 0")));
  EXPECT_THAT(error({.arms = 10'000'001}), HasSubstr("got 10000001"));
  for (const double concentration : {0.0, -1.0, std::nan(""), 1e7, HUGE_VAL})
    EXPECT_THAT(error({.rewards = {.law = RewardLaw::beta, .concentration = concentration}}),
                HasSubstr("concentration must be"));
}

TEST(Sphere, PointsHaveTheRadiusAndNoPreferredDirection) {
  Rng rng(8);
  constexpr std::size_t n = 100'000;
  std::vector<std::vector<double>> coordinate(3, std::vector<double>(n));
  std::vector<double> point(3);
  for (std::size_t i = 0; i < n; ++i) {
    draw_on_sphere(point, 2.0, rng);
    ASSERT_NEAR(point[0] * point[0] + point[1] * point[1] + point[2] * point[2], 4.0, 1e-14);
    for (std::size_t j = 0; j < 3; ++j) coordinate[j][i] = point[j];
  }
  for (std::size_t j = 0; j < 3; ++j) {
    // On a sphere of radius 2 in three dimensions a coordinate is uniform on [-2, 2] (Archimedes).
    std::vector<double> counts(50);
    for (const double x : coordinate[j])
      ++counts[std::min<std::size_t>(static_cast<std::size_t>((x + 2) / 4 * 50), 49)];
    EXPECT_GT(test::uniform_p_value(counts), 1e-6);
    EXPECT_LT(std::abs(test::correlation(coordinate[j], coordinate[(j + 1) % 3])),
              5 / std::sqrt(double{n}));
  }
}

}  // namespace
}  // namespace phe
