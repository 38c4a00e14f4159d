// Every key of a problem does what it says, to 1%.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "phe/problem.hpp"
#include "phe/registry.hpp"

namespace phe {
namespace {

const Registry& registry() {
  static const Registry built_in = Registry::built_in();
  return built_in;
}

std::unique_ptr<const Instance> instance_of(const std::string& spec) {
  return registry().problem(spec).value().problem->draw(StreamKey(3)).value();
}

double logit(double mean) { return std::log(mean / (1 - mean)); }

TEST(ProblemKeys, RadiusStretchesTheScoresOfTheLogisticProblem) {
  const auto short_theta = instance_of("logistic:d=4,arms=20,radius=0.5");
  const auto long_theta = instance_of("logistic:d=4,arms=20,radius=2");
  for (ArmId arm = 0; arm < 20; ++arm)
    EXPECT_NEAR(logit(long_theta->means()[arm]), 4 * logit(short_theta->means()[arm]), 1e-9);
}

TEST(ProblemKeys, ConcentrationAndWidthSetTheVarianceOfRewards) {
  const auto variance_of = [](const std::string& spec) {
    const auto bandit = instance_of("mab:arms=1,low=0.5,high=0.5," + spec);
    constexpr int count = 500'000;  // 5 sigma of a variance: at most 1%
    double squares = 0;
    for (int t = 0; t < count; ++t) squares += std::pow(bandit->reward(t, 0) - 0.5, 2);
    return squares / count;
  };
  EXPECT_NEAR(variance_of("rewards=beta,concentration=1"), 0.25 / 2, 0.01 * 0.25 / 2);
  EXPECT_NEAR(variance_of("rewards=beta,concentration=24"), 0.25 / 25, 0.01 * 0.25 / 25);
  EXPECT_NEAR(variance_of("rewards=uniform,width=0.6"), 0.03, 0.0003);
}

TEST(ProblemKeys, LowAndHighBoundTheMeansOfTheMultiArmedBandit) {
  const auto bandit = instance_of("mab:arms=5000,low=0.2,high=0.6");
  double sum = 0;
  for (const double mean : bandit->means()) {
    EXPECT_GE(mean, 0.2);
    EXPECT_LE(mean, 0.6);
    sum += mean / 5000;
  }
  EXPECT_NEAR(sum, 0.4, 5 * 0.4 / std::sqrt(12 * 5000.0));
}

// On the unit sphere, with a bias of 1; the mean is that of theta, which has length 1/2 beside its
// bias.
TEST(ProblemKeys, ContextsAreOnTheSphereWithABias) {
  const auto bandit = instance_of("linear:d=4,arms=6,contexts");
  const auto& contexts = dynamic_cast<const ContextInstance&>(*bandit);
  ContextRound round;
  for (std::uint64_t t = 0; t < 20; ++t) {
    contexts.offer(t, round);
    for (std::size_t k = 0; k < 6; ++k) {
      const double* x = round.features.data() + 4 * k;
      EXPECT_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 1.0, 1e-12);
      EXPECT_EQ(x[3], 1.0);
      EXPECT_LE(std::abs(round.means[k] - 0.5), 0.5 + 1e-12);
    }
  }
}

}  // namespace
}  // namespace phe
