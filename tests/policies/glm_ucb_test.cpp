#include "policies/glm_ucb.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/registry.hpp"
#include "policies/logistic_twin.hpp"
#include "support/learning.hpp"

namespace phe {
namespace {

TEST(GlmUcb, HasTheRadiusOfThePapersComparison) {
  // d = 2, n = 1000, delta = 1 / n, L^2 = 5, all else by default.
  const Arms arms = Arms::from_rows({{1, 2}, {1, 0}, {0, 1}}).value();
  GlmUcbOptions options;
  options.rounds = 1000;
  const double kappa = std::sqrt(3 + 2 * std::log(1 + 2 * 5.0 / 1.0));
  const double radius =
      2 * 0.25 * kappa / 0.25 * std::sqrt(2 * 2 * std::log(1000.0) * std::log(2 * 2 * 1e3 * 1e3));
  EXPECT_NEAR(GlmUcb::create(arms, options).value().radius(), radius, 1e-12 * radius);
  options.least_slope = 0.125;
  EXPECT_NEAR(GlmUcb::create(arms, options).value().radius(), 2 * radius, 1e-12 * radius);
}

TEST(GlmUcb, PullsTheArmOfTheHighestBoundOnItsMean) {
  const Arms arms = test::normal_arms(12, 3, 4);
  GlmUcbOptions options;
  options.rounds = 150;
  options.least_slope = 4.0;  // narrow enough that the estimates matter
  test::Learning<GlmUcb> policy(arms, GlmUcb::create(arms, options));
  test::RewardList list(arms);
  Rng rng(5);
  for (std::uint64_t t = 0; t < 150; ++t) {
    const ArmId arm = policy.select(rng);
    const auto theta = list.estimate(1.0);
    double best = -1e300;
    double pulled = 0.0;
    for (ArmId k = 0; k < 12; ++k) {
      const double bound = 1 / (1 + std::exp(-list.score(k, theta))) +
                           policy.learner().radius() * list.width(k, 1.0);
      best = std::max(best, bound);
      if (k == arm) pulled = bound;
    }
    ASSERT_NEAR(pulled, best, 1e-6) << "round " << t;
    policy.update(arm, test::coin_reward(arm, t));
    list.add(arm, test::coin_reward(arm, t));
  }
}

TEST(GlmUcb, RefusesBadNumbers) {
  const Registry registry = Registry::built_in();
  const Arms arms = test::normal_arms(4, 2, 1);
  for (const char* spec : {"glmucb:ridge=0", "glmucb:c=0", "glmucb:k=-1", "glmucb:R=0",
                           "glmucb:delta=1", "glmucb:delta=0"})
    EXPECT_FALSE(registry.policy(spec).value().make({arms, 10, {}, true}).ok()) << spec;
}

}  // namespace
}  // namespace phe
