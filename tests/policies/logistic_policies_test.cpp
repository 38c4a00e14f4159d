// What holds for every logistic policy.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/registry.hpp"
#include "support/allocations.hpp"
#include "support/simd.hpp"

namespace phe {
namespace {

using ::testing::HasSubstr;

class LogisticPolicy : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::unique_ptr<Policy> make() const {
    return registry_.policy(GetParam())
        .value()
        .make({bandit_->arms(), 2000, bandit_->reward_range(), bandit_->binary_rewards()})
        .value();
  }
  double play(Policy& policy, std::uint64_t rounds, std::vector<ArmId>* arms = nullptr) const {
    Rng rng(3);
    double regret = 0.0;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const ArmId arm = policy.select(rng);
      if (arms != nullptr) arms->push_back(arm);
      EXPECT_TRUE(policy.update(arm, bandit_->reward(t, arm)).ok());
      regret += bandit_->gap(arm);
    }
    return regret;
  }

  Registry registry_ = Registry::built_in();
  std::unique_ptr<const Instance> bandit_ =
      registry_.problem("logistic:d=5,arms=30").value().problem->draw(StreamKey(2)).value();
};

TEST_P(LogisticPolicy, PullsTheSameArmsOnEveryTarget) {
  std::vector<std::vector<ArmId>> runs;
  test::on_every_target([&] {
    const auto policy = make();
    play(*policy, 300, &runs.emplace_back());
  });
  for (const auto& run : runs) EXPECT_EQ(run, runs.front());
}

TEST_P(LogisticPolicy, NeverAllocatesInARound) {
  const auto warm = make();
  play(*warm, 20);  // tables that are made at the first use
  const auto policy = make();
  const std::size_t before = test::allocations();
  play(*policy, 6000);  // passes every periodic clean-up that a model has
  EXPECT_EQ(test::allocations(), before);
}

TEST_P(LogisticPolicy, LearnsWhereGoodArmsAre) {
  const auto policy = make();
  double mean_gap = 0.0;  // what pulling at random would cost a round
  for (ArmId arm = 0; arm < 30; ++arm) mean_gap += bandit_->gap(arm) / 30;
  // GLM-UCB's confidence sets are so wide that it hardly learns in 2000 rounds; with c=5 they are
  // narrower by a factor of 20, and it does.
  const double share = GetParam() == "glmucb" ? 1.0 : 0.5;
  EXPECT_LT(play(*policy, 2000), share * 2000 * mean_gap);
}

TEST_P(LogisticPolicy, LearnsFromRewardsAnywhereInTheirRange) {
  const auto made = registry_.policy(GetParam()).value().make({bandit_->arms(), 100, {}, false});
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made.value()->update(0, 0.25).ok());
  EXPECT_FALSE(made.value()->update(0, 1.25).ok());
}

TEST_P(LogisticPolicy, RefusesANegativeRidgeAndHugeFeatures) {
  const std::string name = GetParam().substr(0, GetParam().find(':'));
  const auto negative =
      registry_.policy(name + ":ridge=-1").value().make({bandit_->arms(), 100, {}, true});
  ASSERT_FALSE(negative.ok());
  EXPECT_THAT(negative.error().message, HasSubstr(name + ": ridge must be"));
  const Arms huge = Arms::from_rows({{1, 1e120}, {1, 0}}).value();
  const auto overflow = registry_.policy(name).value().make({huge, 100, {}, true});
  ASSERT_FALSE(overflow.ok());
  EXPECT_THAT(overflow.error().message, HasSubstr("1e+100"));
}

TEST_P(LogisticPolicy, PlaysASingleArm) {
  const Arms one = Arms::from_rows({{1.0, 2.0}}).value();
  const auto policy = registry_.policy(GetParam()).value().make({one, 10, {}, true}).value();
  Rng rng(1);
  for (int t = 0; t < 10; ++t) {
    EXPECT_EQ(policy->select(rng), 0u);
    EXPECT_TRUE(policy->update(0, t % 2).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(All, LogisticPolicy,
                         ::testing::Values("logphe:a=1", "logphe:a=0.5,stop=gradient", "logts",
                                           "glmucb", "glmucb:c=5", "ucbglm", "logeps",
                                           "logeps:schedule=paper", "logfpl"));

class LogisticKey : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(LogisticKey, ChangesWhichArmsArePulled) {
  const Registry registry = Registry::built_in();
  const auto bandit =
      registry.problem("logistic:d=4,arms=20").value().problem->draw(StreamKey(4)).value();
  std::vector<ArmId> runs[2];
  for (int i = 0; i < 2; ++i) {
    const auto policy = registry.policy(i == 0 ? GetParam().first : GetParam().second)
                            .value()
                            .make({bandit->arms(), 500, bandit->reward_range(), true})
                            .value();
    Rng rng(5);
    for (std::uint64_t t = 0; t < 500; ++t) {
      runs[i].push_back(policy->select(rng));
      EXPECT_TRUE(policy->update(runs[i].back(), bandit->reward(t, runs[i].back())).ok());
    }
  }
  EXPECT_NE(runs[0], runs[1]);
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, LogisticKey,
    ::testing::Values(
        std::pair{"logphe:a=1", "logphe:a=2"}, std::pair{"logphe", "logphe:ridge=5"},
        std::pair{"logts", "logts:ridge=5"}, std::pair{"glmucb", "glmucb:c=5"},
        std::pair{"glmucb", "glmucb:k=0.01"}, std::pair{"glmucb", "glmucb:R=0.01"},
        std::pair{"glmucb:c=5", "glmucb:c=5,delta=0.9"}, std::pair{"glmucb", "glmucb:ridge=9"},
        std::pair{"ucbglm", "ucbglm:sigma=0.1"}, std::pair{"ucbglm", "ucbglm:kappa=1"},
        std::pair{"ucbglm", "ucbglm:delta=0.9"}, std::pair{"ucbglm", "ucbglm:ridge=9"},
        std::pair{"logeps", "logeps:epsilon=0.5"}, std::pair{"logeps", "logeps:schedule=paper"},
        std::pair{"logeps", "logeps:schedule=constant"}, std::pair{"logeps", "logeps:basis"},
        std::pair{"logeps", "logeps:ridge=5"}, std::pair{"logfpl", "logfpl:a=1"},
        std::pair{"logfpl", "logfpl:ridge=5"}));

}  // namespace
}  // namespace phe
