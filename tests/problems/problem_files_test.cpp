#include <cmath>

#include <gtest/gtest.h>

#include "phe/registry.hpp"
#include "problems/linear.hpp"
#include "support/statistics.hpp"
#include "support/temporary_folder.hpp"

namespace phe::test {
namespace {

class LinearFiles : public testing::Test {
 protected:
  std::string spec(std::string_view arms, std::string_view theta) {
    put(folder_ / "arms.csv", arms);
    put(folder_ / "theta.csv", theta);
    return "linear:features=" + (folder_ / "arms.csv").string() +
           ",theta=" + (folder_ / "theta.csv").string();
  }
  std::string message(const std::string& text) {
    const auto problem = registry_.problem(text);
    return problem.ok() ? "accepted" : problem.error().message;
  }

  TemporaryFolder folder_;
  Registry registry_ = Registry::built_in();
};

TEST_F(LinearFiles, GiveEveryInstanceTheirArmsMeansAndGaps) {
  const auto problem = registry_.problem(spec("x,bias\n0.5,1\n-0.5,1\n0,1\n", "0.4\n0.5\n"));
  ASSERT_TRUE(problem.ok()) << problem.error().message;
  EXPECT_EQ(problem.value().problem->arms(), 3U);
  EXPECT_EQ(problem.value().problem->dimension(), 2U);
  for (std::uint64_t i = 0; i < 2; ++i) {
    const auto instance = problem.value().problem->draw(StreamKey(i)).value();
    EXPECT_EQ(instance->arms().at(1, 0), -0.5);
    EXPECT_DOUBLE_EQ(instance->means()[0], 0.7);
    EXPECT_DOUBLE_EQ(instance->gap(1), 0.4);
    EXPECT_DOUBLE_EQ(instance->smallest_gap(), 0.2);
  }
}

TEST_F(LinearFiles, OnlyTheNoiseOfInstancesDiffers) {
  const auto problem = registry_.problem(spec("0.5,1\n-0.5,1\n", "0.1,0.5\n")).value();
  const auto one = problem.problem->draw(StreamKey(1)).value();
  const auto other = problem.problem->draw(StreamKey(2)).value();
  int different = 0;
  for (std::uint64_t t = 0; t < 100; ++t)
    different += one->reward(t, 0) != other->reward(t, 0) ? 1 : 0;
  EXPECT_GT(different, 20);
}

TEST_F(LinearFiles, AreRefusedWhenAMeanLeavesTheUnitInterval) {
  const std::string text = spec("0.5,1\n3,1\n", "0.5,0.5\n");
  EXPECT_EQ(message(text), (folder_ / "arms.csv").string() +
                               ": arm 2 has mean 2, but rewards on [0, 1] need one in [0, 1]");
}

TEST_F(LinearFiles, AreRefusedWhenThetaDoesNotFit) {
  EXPECT_EQ(message(spec("0.5,1\n", "0.5,0.5,0.5\n")),
            (folder_ / "theta.csv").string() + ": theta must have 2 numbers, one a feature, got 3");
}

TEST_F(LinearFiles, GoTogetherAndWithoutSizes) {
  EXPECT_EQ(message("linear:features=x.csv"),
            "problem linear: features and theta must be given together");
  EXPECT_EQ(message(spec("0.5,1\n", "0.5,0.5\n") + ",d=2"),
            "problem linear: d and arms come from the file " + (folder_ / "arms.csv").string());
}

TEST(UniformRewards, KeepTheirMeanAndStayInTheUnitInterval) {
  for (const double mean : {0.0, 0.05, 0.3, 0.5, 0.9, 1.0}) {
    const RewardNoise noise(RewardLaw::uniform, 0.4, StreamKey(3));
    const double half = std::min({0.2, mean, 1 - mean});
    std::vector<double> rewards;
    for (std::uint64_t t = 0; t < 20'000; ++t) {
      rewards.push_back(noise.reward(mean, t, 0));
      ASSERT_GE(rewards.back(), mean - half);
      ASSERT_LE(rewards.back(), mean + half);
    }
    // The variance of a uniform law of half-width h is h^2 / 3.
    EXPECT_NEAR(test::mean(rewards), mean, 5 * half / std::sqrt(3.0 * 20'000) + 1e-12);
    EXPECT_NEAR(covariance(rewards, rewards), half * half / 3, 0.05 * half * half / 3 + 1e-15);
  }
}

TEST(Mab, DrawsMeansInItsRangeAndUnitVectorsAsFeatures) {
  const Registry registry = Registry::built_in();
  const auto problem = registry.problem("mab:arms=5,low=0.2,high=0.4").value();
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto instance = problem.problem->draw(StreamKey(i)).value();
    for (ArmId arm = 0; arm < 5; ++arm) {
      EXPECT_GE(instance->means()[arm], 0.2);
      EXPECT_LE(instance->means()[arm], 0.4);
      for (std::size_t j = 0; j < 5; ++j)
        EXPECT_EQ(instance->arms().at(arm, j), arm == j ? 1.0 : 0.0);
    }
  }
}

TEST(Mab, RefusesARangeOutsideTheUnitInterval) {
  const Registry registry = Registry::built_in();
  EXPECT_EQ(registry.problem("mab:low=0.5,high=0.4").error().message,
            "problem mab: means must have 0 <= low <= high <= 1, got low 0.5 and high 0.4");
}

}  // namespace
}  // namespace phe::test
