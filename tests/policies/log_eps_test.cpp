#include <cmath>

#include <gtest/gtest.h>

#include "phe/registry.hpp"
#include "policies/glm_eps.hpp"
#include "policies/logistic_twin.hpp"
#include "support/learning.hpp"

namespace phe {
namespace {

TEST(EpsilonSchedule, SumsUpToWhatItSays) {
  constexpr std::uint64_t n = 10'000;
  double authors = 0.0;
  double paper = 0.0;
  double constant = 0.0;
  for (std::uint64_t t = 1; t <= n; ++t) {
    authors += epsilon_in_round(EpsilonSchedule::authors, 0.05, n, t);
    paper += epsilon_in_round(EpsilonSchedule::paper, 0.05, n, t);
    constant += epsilon_in_round(EpsilonSchedule::constant, 0.05, n, t);
  }
  EXPECT_NEAR(authors, 0.05 * n, 0.01 * 0.05 * n + 5);  // sum 1 / sqrt t = 2 sqrt n - 1.46
  EXPECT_NEAR(paper, 5.0, 0.1);
  EXPECT_NEAR(constant, 500.0, 1e-9);
  EXPECT_EQ(epsilon_in_round(EpsilonSchedule::authors, 0.05, n, 1), 1.0);  // 2.5, cut off
}

TEST(LogEps, PullsTheArmOfTheHighestEstimateWhenItDoesNotExplore) {
  const Arms arms = test::normal_arms(12, 3, 4);
  GlmEpsOptions options;
  options.epsilon = 0.0;
  test::Learning<LogEps> policy(arms, LogEps::create(arms, options), Start::basis);
  test::RewardList list(arms);
  Rng rng(5);
  for (std::uint64_t t = 0; t < 150; ++t) {
    const ArmId arm = policy.select(rng);
    if (t < 3) {
      EXPECT_EQ(arm, 11 - t);
    } else {
      const auto theta = list.estimate(0.5);
      double best = -1e300;
      for (ArmId k = 0; k < 12; ++k) best = std::max(best, list.score(k, theta));
      ASSERT_NEAR(list.score(arm, theta), best, 1e-7) << "round " << t;
    }
    // Now and then another arm, so that there is something to learn.
    const ArmId pulled = t % 4 == 3 ? static_cast<ArmId>(t % 12) : arm;
    policy.update(pulled, test::coin_reward(pulled, t));
    list.add(pulled, test::coin_reward(pulled, t));
  }
}

TEST(LogEps, ExploresAsOftenAsItsScheduleSaysAndEvenly) {
  const Arms arms = test::normal_arms(8, 2, 6);
  GlmEpsOptions options;
  options.epsilon = 0.5;
  options.schedule = EpsilonSchedule::constant;
  test::Learning<LogEps> policy(arms, LogEps::create(arms, options));
  for (std::uint64_t t = 0; t < 80; ++t)
    policy.update(static_cast<ArmId>(t % 8), test::coin_reward(static_cast<ArmId>(t % 8), t));
  // Without updates the greedy arm stays: every other arm has probability 0.5 / 8.
  constexpr int draws = 8000;
  std::vector<int> counts(8);
  Rng rng(7);
  for (int i = 0; i < draws; ++i) ++counts[policy.select(rng)];
  std::ranges::sort(counts);
  for (int i = 0; i < 7; ++i)
    EXPECT_NEAR(counts[static_cast<std::size_t>(i)], draws / 16.0, 5 * std::sqrt(draws / 16.0));
}

TEST(LogEps, RefusesBadNumbers) {
  const Registry registry = Registry::built_in();
  const Arms arms = test::normal_arms(4, 2, 1);
  for (const char* spec : {"logeps:ridge=0", "logeps:epsilon=1.5", "logeps:epsilon=-0.1"})
    EXPECT_FALSE(registry.policy(spec).value().make({arms, 10, {}, true}).ok()) << spec;
}

}  // namespace
}  // namespace phe
