#include "policies/ucb_glm.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/registry.hpp"
#include "policies/logistic_twin.hpp"
#include "support/learning.hpp"

namespace phe {
namespace {

TEST(UcbGlm, HasTheRadiusOfThePapersComparison) {
  const Arms arms = test::normal_arms(5, 4, 1);
  UcbGlmOptions options;
  options.rounds = 1000;
  const double radius = 2 * std::sqrt(2 * std::log(1 + 2 * 1000.0 / 4) + std::log(1000.0));
  EXPECT_NEAR(UcbGlm::create(arms, options).value().radius(), radius, 1e-12 * radius);
  options.delta = 0.1;
  EXPECT_NEAR(UcbGlm::create(arms, options).value().radius(),
              2 * std::sqrt(2 * std::log(501.0) + std::log(10.0)), 1e-11);
}

TEST(UcbGlm, PullsTheArmOfTheHighestBoundOnItsScore) {
  const Arms arms = test::normal_arms(12, 3, 4);
  UcbGlmOptions options;
  options.rounds = 150;
  options.kappa = 1.0;  // narrow enough that the estimates matter
  test::Learning<UcbGlm> policy(arms, UcbGlm::create(arms, options));
  test::RewardList list(arms);
  Rng rng(5);
  for (std::uint64_t t = 0; t < 150; ++t) {
    const ArmId arm = policy.select(rng);
    const auto theta = list.estimate(1.0);
    double best = -1e300;
    double pulled = 0.0;
    for (ArmId k = 0; k < 12; ++k) {
      const double bound = list.score(k, theta) + policy.learner().radius() * list.width(k, 1.0);
      best = std::max(best, bound);
      if (k == arm) pulled = bound;
    }
    ASSERT_NEAR(pulled, best, 1e-6) << "round " << t;
    policy.update(arm, test::coin_reward(arm, t));
    list.add(arm, test::coin_reward(arm, t));
  }
}

TEST(UcbGlm, RefusesBadNumbers) {
  const Registry registry = Registry::built_in();
  const Arms arms = test::normal_arms(4, 2, 1);
  for (const char* spec :
       {"ucbglm:ridge=0", "ucbglm:sigma=0", "ucbglm:kappa=-1", "ucbglm:delta=1", "ucbglm:delta=0"})
    EXPECT_FALSE(registry.policy(spec).value().make({arms, 10, {}, true}).ok()) << spec;
}

}  // namespace
}  // namespace phe
