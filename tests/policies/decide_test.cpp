// Policy::decide of every policy: probabilities that are a law, closed forms, first rounds, bad
// input, states. What the law is: tests/statistical/decide_law_test.cpp.
#include <limits>
#include <numeric>

#include <gmock/gmock.h>

#include "phe/lin_phe.hpp"
#include "phe/log_phe.hpp"
#include "policies/every_policy.hpp"
#include "support/allocations.hpp"
#include "support/arms.hpp"

namespace phe::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One round of either kind.
Result<void> decide(Play& bandit, Policy& policy, std::uint64_t round, Rng& rng,
                    const DecideOptions& options, Decision& decision) {
  if (bandit.contexts() == nullptr) return policy.decide(rng, options, decision);
  bandit.offer(round);
  return policy.decide(bandit.actions(), rng, options, decision);
}

void play_decisions(Play& bandit, Policy& policy, Rng& rng, std::uint64_t first, std::uint64_t last,
                    const DecideOptions& options, std::vector<Decision>& decisions) {
  for (std::uint64_t round = first; round < last; ++round) {
    Decision decision;
    ASSERT_TRUE(decide(bandit, policy, round, rng, options, decision).ok());
    ASSERT_TRUE(bandit.update(policy, bandit.paid(round, decision.action)).ok());
    decisions.push_back(decision);
  }
}

class EveryDecision : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Pairs, EveryDecision, testing::ValuesIn(all_pairs()), name_of);

TEST_P(EveryDecision, HasALawOfWhichTheChoiceIsAPossibleOutcome) {
  for (const DecideOptions& options :
       {DecideOptions{}, DecideOptions{.draws = 5, .floor = 0.2}, DecideOptions{.draws = 1}}) {
    Play bandit(GetParam());
    const auto policy = bandit.policy();
    Rng rng(5);
    std::vector<Decision> decisions;
    play_decisions(bandit, *policy, rng, 0, 60, options, decisions);
    for (const Decision& d : decisions) {
      ASSERT_LT(d.action, d.probabilities.size());
      EXPECT_NEAR(std::accumulate(d.probabilities.begin(), d.probabilities.end(), 0.0), 1.0, 1e-12);
      const double least = options.floor / static_cast<double>(d.probabilities.size());
      EXPECT_THAT(d.probabilities, Each(testing::Ge(least)));
      EXPECT_GT(d.probabilities[d.action], 0);
      EXPECT_EQ(d.inverse_propensity, 1.0 / d.probabilities[d.action]);
      EXPECT_FALSE(d.capped);
    }
  }
}

TEST_P(EveryDecision, GoesOnTheSameAfterSavingAndLoading) {
  for (const std::uint64_t stop : {2, 31}) {
    Play bandit(GetParam());
    const auto never_stopped = bandit.policy();
    Rng rng(6);
    std::vector<Decision> decisions;
    play_decisions(bandit, *never_stopped, rng, 0, stop, {.floor = 0.1}, decisions);
    const auto restored = bandit.policy();
    ASSERT_TRUE(restored->load(never_stopped->save().value()).ok());
    Rng same = rng;
    std::vector<Decision> ours;
    std::vector<Decision> theirs;
    play_decisions(bandit, *never_stopped, rng, stop, stop + 40, {.floor = 0.1}, ours);
    play_decisions(bandit, *restored, same, stop, stop + 40, {.floor = 0.1}, theirs);
    for (std::size_t t = 0; t < ours.size(); ++t) {
      EXPECT_EQ(ours[t].action, theirs[t].action);
      EXPECT_EQ(ours[t].probabilities, theirs[t].probabilities);
    }
    EXPECT_EQ(restored->save().value(), never_stopped->save().value());
  }
}

TEST_P(EveryDecision, RefusesBadInputWithNothingChanged) {
  Play bandit(GetParam());
  const auto policy = bandit.policy();
  Rng rng(7);
  bandit.play(*policy, rng, 0, 20);
  Decision decision;
  ASSERT_TRUE(decide(bandit, *policy, 20, rng, {}, decision).ok());
  const std::string before = policy->save().value();
  const Decision kept = decision;
  Rng same = rng;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const DecideOptions& options) {
    const auto done = decide(bandit, *policy, 21, rng, options, decision);
    return done.ok() ? std::string("taken") : done.error().message;
  };
  EXPECT_THAT(refused({.draws = 0}), HasSubstr("draws must be between 1 and"));
  EXPECT_THAT(refused({.draws = std::numeric_limits<std::size_t>::max()}), HasSubstr("draws"));
  EXPECT_THAT(refused({.floor = -0.1}), HasSubstr("floor must be between 0 and 1, got -0.1"));
  EXPECT_THAT(refused({.floor = 1.5}), HasSubstr("floor"));
  EXPECT_THAT(refused({.floor = nan}), HasSubstr("floor"));
  EXPECT_THAT(refused({.floor = 0.1, .resample = 5}), HasSubstr("resample"));
  if (bandit.contexts() == nullptr) {
    EXPECT_FALSE(policy->decide(Actions::rows(1, decision.probabilities), rng, {}, decision).ok());
  } else {
    EXPECT_FALSE(policy->decide(rng, {}, decision).ok());
    EXPECT_FALSE(policy->decide(Actions{}, rng, {}, decision).ok());
    const std::vector<double> bad(4, nan);
    const auto one =
        bandit.contexts()->one_context() ? Actions::context(bad, 1) : Actions::rows(1, bad);
    EXPECT_FALSE(policy->decide(one, rng, {}, decision).ok());
  }
  EXPECT_EQ(policy->save().value(), before);
  EXPECT_EQ(decision.probabilities, kept.probabilities);
  EXPECT_EQ(rng(), same());
}

TEST_P(EveryDecision, AllocatesNothingWhenHandedInAgain) {
  if (GetParam().policy.starts_with("xgbphe")) GTEST_SKIP() << "XGBoost allocates as it likes";
  Play bandit(GetParam());
  const auto policy = bandit.policy();
  Rng rng(8);
  bandit.play(*policy, rng, 0, 20);
  Decision decision;
  bandit.offer(20);
  const auto again = [&] {
    return bandit.contexts() == nullptr ? policy->decide(rng, {}, decision)
                                        : policy->decide(bandit.actions(), rng, {}, decision);
  };
  ASSERT_TRUE(again().ok());
  const std::size_t before = allocations();
  for (int i = 0; i < 50; ++i) static_cast<void>(again());
  EXPECT_EQ(allocations(), before);
}

std::unique_ptr<Policy> made(const std::string& spec, const Arms& arms, bool one_context = false) {
  return registry().policy(spec).value().make({arms, 1000, {}, true, one_context}).value();
}

// Two arms along each axis: each is as good as its twin.
Arms twins() { return Arms::from_rows({{1, 0}, {0, 1}, {0, 1}, {1, 0}}).value(); }

TEST(Decide, EpsilonGreedyKnowsItsEpsilonAndItsTies) {
  for (const std::string policy :
       {"lineps:epsilon=0.2,schedule=constant", "logeps:epsilon=0.2,schedule=constant"}) {
    const auto greedy = made(policy, twins());
    ASSERT_TRUE(greedy->update(1, 1.0).ok());
    Rng rng(1);
    Decision decision;
    ASSERT_TRUE(greedy->decide(rng, {}, decision).ok());
    EXPECT_THAT(decision.probabilities, ElementsAre(0.05, 0.45, 0.45, 0.05)) << policy;
    ASSERT_TRUE(greedy->decide(rng, {.floor = 0.5}, decision).ok());
    EXPECT_THAT(decision.probabilities, ElementsAre(0.15, 0.35, 0.35, 0.15)) << policy;
  }
}

TEST(Decide, EpsilonFollowsItsScheduleRoundByRound) {
  const auto policy = made("lineps:epsilon=0.4,schedule=paper", twins());
  Rng rng(1);
  Decision decision;
  for (std::uint64_t t = 1; t <= 9; ++t) {
    ASSERT_TRUE(policy->decide(rng, {}, decision).ok());
    const double epsilon = 0.4 / (2 * std::sqrt(static_cast<double>(t)));
    const double worse = t > 1 ? epsilon / 4 : 0.25;  // at first all are as good
    EXPECT_NEAR(decision.probabilities[0], worse, 1e-15) << t;
    ASSERT_TRUE(policy->update(1, 1.0).ok());
  }
}

TEST(Decide, OptimismSharesAmongItsTies) {
  for (const std::string policy : {"linucb", "linucb:width=1", "ucbglm", "glmucb"}) {
    const auto optimist = made(policy, twins());
    Rng rng(1);
    Decision decision;
    ASSERT_TRUE(optimist->decide(rng, {}, decision).ok());
    EXPECT_THAT(decision.probabilities, Each(0.25)) << policy;
    // Never rewarded, the first axis falls behind.
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(optimist->update(0, 0.0).ok());
    ASSERT_TRUE(optimist->decide(rng, {}, decision).ok());
    EXPECT_THAT(decision.probabilities, ElementsAre(0, 0.5, 0.5, 0)) << policy;
  }
}

TEST(Decide, OneModelPerActionSharesAmongTies) {
  const auto policy = made("linucb:width=1,disjoint", Arms::none(2), true);
  const std::vector<double> context{1, 2};
  Rng rng(1);
  Decision decision;
  ASSERT_TRUE(policy->decide(Actions::context(context, 3), rng, {}, decision).ok());
  EXPECT_THAT(decision.probabilities, Each(1.0 / 3));
  ASSERT_TRUE(policy->update(ActionId{1}, context, 0.0).ok());
  ASSERT_TRUE(policy->decide(Actions::context(context, 3), rng, {}, decision).ok());
  EXPECT_THAT(decision.probabilities, ElementsAre(0.5, 0, 0.5));
}

TEST(Decide, UniformIsUniform) {
  const auto policy = made("uniform", twins());
  Rng rng(1);
  Decision decision;
  ASSERT_TRUE(policy->decide(rng, {.draws = 1, .resample = 1}, decision).ok());
  EXPECT_THAT(decision.probabilities, Each(0.25));
  EXPECT_EQ(decision.inverse_propensity, 4.0);
}

TEST(Decide, TheBasisIsCertainAndStaysDueWhenTheFloorChoosesAnother) {
  const auto arms = Arms::from_rows({{1, 1}, {1, 0}, {0, 1}}).value();
  auto policy = LinPhe::create(arms).value();
  Rng rng(3);
  Decision decision;
  ASSERT_TRUE(policy.decide(rng, {}, decision).ok());
  EXPECT_THAT(decision.probabilities, ElementsAre(0, 0, 1));  // the last arm comes first
  EXPECT_EQ(decision.action, 2U);
  bool other = false;
  while (!other) {
    ASSERT_TRUE(policy.decide(rng, {.floor = 0.6}, decision).ok());
    ASSERT_THAT(decision.probabilities,
                ElementsAre(testing::DoubleEq(0.2), testing::DoubleEq(0.6), testing::DoubleEq(0.2)))
        << "arm 1 is due until it is taken";
    other = decision.action == 1;
  }
  ASSERT_TRUE(policy.decide(rng, {.draws = 1000}, decision).ok());
  EXPECT_LT(*std::ranges::max_element(decision.probabilities), 1) << "the model decides";
}

TEST(Decide, RandomFirstRoundsAreUniformAndEachTakesItsTurn) {
  const std::vector<double> features{1, 0, 0, 1, 1, 1};
  const auto random = made("linphe:start=random", Arms::none(2));
  const auto each = made("linphe:start=each", Arms::none(2));
  Rng rng(4);
  Decision decision;
  for (int t = 0; t < 2; ++t) {
    ASSERT_TRUE(random->decide(Actions::rows(3, features), rng, {}, decision).ok());
    EXPECT_THAT(decision.probabilities, Each(1.0 / 3));
  }
  for (std::size_t t = 0; t < 3; ++t) {
    ASSERT_TRUE(each->decide(Actions::rows(3, features), rng, {}, decision).ok());
    EXPECT_EQ(decision.probabilities[t], 1.0);
    EXPECT_EQ(decision.action, t);
  }
}

TEST(Decide, LogPheForwards) {
  auto policy = LogPhe::create(twins()).value();
  Rng rng(5);
  Decision decision;
  ASSERT_TRUE(policy.decide(rng, {}, decision).ok());
  EXPECT_EQ(decision.probabilities.size(), 4U);
  auto contexts = LogPhe::create(2).value();
  const std::vector<double> features{1, 0, 0, 1};
  ASSERT_TRUE(contexts.decide(Actions::rows(2, features), rng, {}, decision).ok());
  EXPECT_EQ(decision.probabilities.size(), 2U);
}

}  // namespace
}  // namespace phe::test
