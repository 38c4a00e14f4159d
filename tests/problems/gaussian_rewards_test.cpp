#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policies/every_policy.hpp"

namespace phe::test {
namespace {

std::unique_ptr<const Instance> draw(const std::string& spec) {
  return registry().problem(spec).value().problem->draw(StreamKey(1)).value();
}

TEST(GaussianRewards, HaveTheMeanAndDeviationThatWereAskedForAndStayInTheirRange) {
  const auto bandit = draw("mab:arms=3,low=-20,high=30,rewards=gaussian,deviation=2");
  EXPECT_EQ(bandit->reward_range().low, -28.0);
  EXPECT_EQ(bandit->reward_range().high, 38.0);
  constexpr int rounds = 100'000;
  for (ArmId arm = 0; arm < 3; ++arm) {
    double sum = 0, squares = 0;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const double deviation = bandit->reward(t, arm) - bandit->means()[arm];
      ASSERT_LE(std::abs(deviation), 8.0 + 1e-12);
      sum += deviation;
      squares += deviation * deviation;
    }
    EXPECT_NEAR(sum / rounds, 0.0, 4.5 * 2 / std::sqrt(rounds));
    // What is cut off beyond 4 deviations takes 0.0003 of the variance.
    EXPECT_NEAR(squares / rounds / 4, 1.0, 4.5 * std::sqrt(2.0 / rounds) + 0.0005);
  }
}

TEST(GaussianRewards, AreLearntByEveryPolicyOfArms) {
  for (const char* spec : {"phe", "giro", "ucb1", "klucb", "betats", "linphe", "lints"}) {
    Play bandit({spec, "mab:arms=4,low=-3,high=5,rewards=gaussian,deviation=0.5"});
    const auto policy = bandit.policy();
    Rng rng(3);
    const auto choices = bandit.play(*policy, rng, 0, 3000);
    const auto means = bandit.instance().means();
    const auto best = static_cast<std::size_t>(std::ranges::max_element(means) - means.begin());
    EXPECT_GT(std::count(choices.end() - 1000, choices.end(), best), 700) << spec;
  }
}

TEST(GaussianRewards, AreRefusedWhereMeansOrDeviationsCannotBe) {
  for (const char* spec :
       {"mab:rewards=gaussian,deviation=0", "mab:rewards=gaussian,low=2,high=1",
        "mab:rewards=gaussian,low=-1e7", "mab:low=-1", "mab:high=2", "linear:rewards=gaussian"})
    EXPECT_FALSE(registry().problem(spec).ok()) << spec;
}

}  // namespace
}  // namespace phe::test
