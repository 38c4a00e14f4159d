#include "problems/nonlinear.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policies/every_policy.hpp"

namespace phe::test {
namespace {

class Nonlinear : public testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<const Instance> draw(const std::string& keys, std::uint64_t seed) {
    return registry()
        .problem("nonlinear:shape=" + GetParam() + keys)
        .value()
        .problem->draw(StreamKey(seed))
        .value();
  }
};
INSTANTIATE_TEST_SUITE_P(Shapes, Nonlinear, testing::Values("smooth", "steps"));

TEST_P(Nonlinear, ArmsLieInTheCubeWithABiasAndMeansInTheUnitInterval) {
  const auto bandit = draw(",d=4,arms=500", 1);
  double least = 1, most = 0;
  for (ArmId arm = 0; arm < 500; ++arm) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_LE(std::abs(bandit->arms().at(arm, j)), 1.0);
    EXPECT_EQ(bandit->arms().at(arm, 3), 1.0);
    least = std::min(least, bandit->means()[arm]);
    most = std::max(most, bandit->means()[arm]);
  }
  EXPECT_GE(least, 0.0);
  EXPECT_LE(most, 1.0);
  EXPECT_GT(most - least, 0.3);
}

// Means at x and -x of a linear function add up to twice that at 0, whatever x.
TEST_P(Nonlinear, ContextsAreOfOneSurfaceThatIsNotLinear) {
  const auto bandit = draw(",d=3,arms=4,contexts", 2);
  const auto& contexts = dynamic_cast<const ContextInstance&>(*bandit);
  ContextRound one, again, other;
  contexts.offer(7, one);
  contexts.offer(7, again);
  contexts.offer(8, other);
  EXPECT_EQ(one.features, again.features);
  EXPECT_EQ(one.means, again.means);
  EXPECT_NE(one.features, other.features);
  EXPECT_EQ(one.features.size(), 12U);
  EXPECT_EQ(one.features[2], 1.0);
}

TEST_P(Nonlinear, InstancesDiffer) {
  const auto one = draw("", 1), same = draw("", 1), other = draw("", 2);
  EXPECT_TRUE(std::ranges::equal(one->means(), same->means()));
  EXPECT_FALSE(std::ranges::equal(one->means(), other->means()));
}

TEST(NonlinearSteps, HaveAtMost16Means) {
  const auto bandit = registry()
                          .problem("nonlinear:shape=steps,arms=2000")
                          .value()
                          .problem->draw(StreamKey(3))
                          .value();
  const std::set<double> means(bandit->means().begin(), bandit->means().end());
  EXPECT_LE(means.size(), 16U);
  EXPECT_GE(means.size(), 8U);
}

TEST(NonlinearSmooth, IsSmoothAlongALine) {
  // 2000 arms in one dimension: neighbours differ by at most the slope, pi / 2, times the distance.
  const auto bandit =
      registry().problem("nonlinear:d=2,arms=2000").value().problem->draw(StreamKey(4)).value();
  std::vector<std::pair<double, double>> line;
  for (ArmId arm = 0; arm < 2000; ++arm)
    line.emplace_back(bandit->arms().at(arm, 0), bandit->means()[arm]);
  std::ranges::sort(line);
  for (std::size_t i = 1; i < line.size(); ++i)
    EXPECT_LE(std::abs(line[i].second - line[i - 1].second),
              1.58 * (line[i].first - line[i - 1].first));
}

TEST(NonlinearProblem, RefusesWhatCannotBe) {
  for (const char* spec : {"nonlinear:d=1", "nonlinear:arms=0", "nonlinear:shape=round",
                           "nonlinear:width=2", "nonlinear:rewards=gaussian"})
    EXPECT_FALSE(registry().problem(spec).ok()) << spec;
}

}  // namespace
}  // namespace phe::test
