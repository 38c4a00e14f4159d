// What every policy promises in contexts, and what comes through the door of all.
#include <limits>
#include <set>

#include <gmock/gmock.h>

#include "phe/lin_phe.hpp"
#include "phe/simulate.hpp"
#include "policies/every_policy.hpp"
#include "support/allocations.hpp"
#include "support/simd.hpp"

namespace phe::test {
namespace {

using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

class InContexts : public testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(Pairs, InContexts, testing::ValuesIn(context_pairs()), name_of);

std::vector<std::size_t> choices(const Pair& pair, std::uint64_t seed) {
  Play bandit(pair);
  const auto policy = bandit.policy();
  Rng rng(seed);
  return bandit.play(*policy, rng, 0, 300);
}

TEST_P(InContexts, ChoosesTheSameForTheSameSeedOnEverySimdTarget) {
  const auto expected = choices(GetParam(), 3);
  on_every_target([&] { EXPECT_EQ(choices(GetParam(), 3), expected); });
}

TEST_P(InContexts, LearnsSoThatItsRegretIsFarBelowThatOfChance) {
  if (GetParam().policy.starts_with("uniform")) return;
  const auto regret = [&](const std::string& policy) {
    const Experiment experiment{{GetParam().problem}, {policy}, 1000, 4};
    const Plan plan = Plan::create(experiment, registry()).value();
    double sum = 0;
    for (const RunId& id : plan.runs()) sum += plan.run(id).value().regret.back();
    return sum;
  };
  // glmucb and the inflated lints are so cautious that 1,000 rounds hardly show in their regret.
  const bool cautious =
      GetParam().policy.starts_with("glmucb") || GetParam().policy.starts_with("lints:inflated");
  EXPECT_LT(regret(GetParam().policy), (cautious ? 0.99 : 0.8) * regret("uniform"));
}

TEST_P(InContexts, AllocatesOnlyWhereAHistoryGrowsAndSeldom) {
  if (GetParam().policy.starts_with("xgbphe")) GTEST_SKIP() << "XGBoost allocates as it likes";
  Play bandit(GetParam());
  const auto policy = bandit.policy();
  Rng rng(4);
  bandit.play(*policy, rng, 0, 600);
  std::size_t during = 0;
  std::size_t rounds_that_did = 0;
  for (std::uint64_t round = 600; round < 1000; ++round) {
    bandit.contexts()->offer(round, const_cast<ContextRound&>(bandit.offered()));
    const std::size_t before = allocations();
    const std::size_t choice = policy->select(bandit.actions(), rng).value();
    const double reward = bandit.offered().means[choice] > 0.5 ? 1.0 : 0.0;
    const auto& features = bandit.offered().features;
    const auto updated = bandit.contexts()->one_context()
                             ? policy->update(ActionId{choice}, features, reward)
                             : policy->update(std::span(features).subspan(choice * 4, 4), reward);
    const std::size_t count = allocations() - before;
    EXPECT_TRUE(updated.ok());
    during += count;
    rounds_that_did += count > 0 ? 1 : 0;
  }
  // Vectors that double their room: a few dozen in all, in a few rounds.
  EXPECT_LE(rounds_that_did, 40U);
  EXPECT_LE(during, 200U);
}

TEST_P(InContexts, RefusesBadInputByNameAndStaysAsItWas) {
  Play bandit(GetParam());
  const auto policy = bandit.policy();
  Rng rng(5);
  bandit.play(*policy, rng, 0, 20);
  const std::string before = policy->save().value();
  const bool one = bandit.contexts()->one_context();
  const std::string name(policy->name());
  const std::vector<double> short_row(3, 0.5);
  const std::vector<double> row(4, 0.5);
  std::vector<double> not_a_number(4, 0.5);
  not_a_number[2] = nan;
  const auto update = [&](std::span<const double> x, double reward) {
    const auto result = one ? policy->update(ActionId{1}, x, reward) : policy->update(x, reward);
    return result ? std::string("no error") : result.error().message;
  };
  EXPECT_THAT(update(short_row, 1.0), HasSubstr(name + ": there must be 4 features, got 3"));
  EXPECT_THAT(update(not_a_number, 1.0), HasSubstr("feature 2"));
  for (const double reward : {nan, infinity, -0.5, 500.0})
    EXPECT_THAT(update(row, reward), HasSubstr(name + ": a reward must be"));
  const auto select = [&](const Actions& actions) {
    const auto result = policy->select(actions, rng);
    return result ? std::string("no error") : result.error().message;
  };
  EXPECT_THAT(select(one ? Actions::context(row, std::size_t{0}) : Actions::rows(0, {})),
              HasSubstr("at least 1"));
  EXPECT_NE(select(one ? Actions::context(short_row, 2) : Actions::rows(2, short_row)), "no error");
  EXPECT_NE(select(one ? Actions::context(not_a_number, 2) : Actions::rows(1, not_a_number)),
            "no error");
  if (one) {
    EXPECT_THAT(policy->update(ActionId{77}, row, 1.0).error().message,
                HasSubstr("action 77 was never offered"));
  }
  EXPECT_FALSE(policy->update(ArmId{0}, 1.0).ok());
  const auto restored = Play(GetParam()).policy();
  ASSERT_TRUE(restored->load(before).ok());
  Rng same = rng;
  Play again(GetParam());
  EXPECT_EQ(again.play(*restored, same, 20, 60), bandit.play(*policy, rng, 20, 60));
}

// Who learns from the choice itself that a feature is not finite has drawn by then.
TEST_P(InContexts, ARefusedRoundTakesNothingFromTheRng) {
  Play bandit(GetParam());
  const auto policy = bandit.policy();
  Rng rng(6);
  bandit.play(*policy, rng, 0, 20);
  const bool one = bandit.contexts()->one_context();
  for (const double bad : {nan, infinity, -infinity})
    for (const std::size_t place : {0, 3, 17, 39}) {
      std::vector<double> features(one ? 4 : 40, 0.25);
      features[place % features.size()] = bad;
      Rng before = rng;
      const auto refused =
          policy->select(one ? Actions::context(features, 2) : Actions::rows(10, features), rng);
      ASSERT_FALSE(refused.ok());
      EXPECT_THAT(refused.error().message, HasSubstr("feature"));
      Rng after = rng;
      for (int i = 0; i < 20; ++i) ASSERT_EQ(after(), before());
    }
}

TEST(FixedArms, RefuseBadInputByNameAndStayAsTheyWere) {
  for (const Pair& pair : fixed_pairs()) {
    Play bandit(pair);
    const auto policy = bandit.policy();
    Rng rng(6);
    bandit.play(*policy, rng, 0, 20);
    const std::string before = policy->save().value();
    EXPECT_THAT(policy->update(12, 1.0).error().message, HasSubstr("there is no arm 12, only 12"))
        << pair.policy;
    for (const double reward : {nan, infinity, -0.1, 500.0})
      EXPECT_THAT(policy->update(0, reward).error().message, HasSubstr(": a reward must be"))
          << pair.policy;
    EXPECT_FALSE(policy->select(Actions::rows(1, std::vector<double>(4)), rng).ok());
    EXPECT_FALSE(policy->update(std::vector<double>(4), 1.0).ok());
    EXPECT_EQ(policy->save().value(), before) << pair.policy;
  }
}

TEST(FixedArms, SeveralSelectsBeforeTheFirstRewardPullDifferentInitialArms) {
  for (const char* spec : {"linphe", "linfpl", "lingiro", "greedy", "linens:noise=bernoulli"}) {
    Play bandit({spec, "linear:d=5,arms=40"});
    const auto policy = bandit.policy();
    Rng rng(7);
    std::vector<ArmId> first;
    for (int i = 0; i < 5; ++i) first.push_back(policy->select(rng));
    EXPECT_EQ(first, (std::vector<ArmId>{39, 38, 37, 36, 35})) << spec;
    // And rounds without any reward are not all spent on one arm.
    std::set<ArmId> later;
    for (int i = 0; i < 1000; ++i) later.insert(policy->select(rng));
    EXPECT_GT(later.size(), 20U) << spec;
  }
}

TEST(FixedArms, RewardsThatComeTwoHundredRoundsLateAreStillLearnt) {
  for (const char* spec : {"linphe", "lints", "linucb:width=1"}) {
    Play bandit({spec, "linear:d=5,arms=20"}, 3000);
    const auto policy = bandit.policy();
    Rng rng(8);
    std::vector<Play::Step> waiting;
    std::set<std::size_t> early;
    double late_regret = 0;
    double chance = 0;
    for (std::uint64_t round = 0; round < 3000; ++round) {
      waiting.push_back(bandit.select(*policy, round, rng));
      if (round < 1000) early.insert(waiting.back().choice);
      const auto arm = static_cast<ArmId>(waiting.back().choice);
      if (round >= 2000) late_regret += bandit.instance().gap(arm);
      if (round >= 2000) chance += bandit.instance().gap(static_cast<ArmId>(round % 20));
      if (round >= 200) {
        ASSERT_TRUE(bandit.update(*policy, waiting[round - 200]).ok());
      }
    }
    EXPECT_GT(early.size(), 5U) << spec;
    EXPECT_LT(late_regret, 0.4 * chance) << spec;
  }
}

TEST(Contexts, PoliciesThatCannotPlayThemAreRefusedWithAReason) {
  const auto refusal = [&](const Pair& pair) {
    const Experiment experiment{{pair.problem}, {pair.policy}, 10, 1};
    const auto run = Plan::create(experiment, registry()).value().run({0, 0, 0});
    return run ? std::string("no error") : run.error().message;
  };
  EXPECT_THAT(refusal({"phe", "linear:contexts"}), HasSubstr("cannot play contexts"));
  EXPECT_THAT(refusal({"giro", "linear:contexts"}), HasSubstr("cannot play contexts"));
  EXPECT_THAT(refusal({"linphe", "disjoint"}), HasSubstr("linphe:disjoint"));
  EXPECT_THAT(refusal({"linphe:disjoint", "linear:contexts"}),
              HasSubstr("features of each action"));
  EXPECT_THAT(refusal({"linphe:disjoint", "linear"}), HasSubstr("fixed arms"));
  EXPECT_THAT(refusal({"linphe:start=basis", "linear:contexts"}), HasSubstr("needs fixed arms"));
  EXPECT_THAT(refusal({"lints:start=prior", "linear:contexts"}), HasSubstr("start=prior"));
  EXPECT_THAT(refusal({"linphe:memory=10", "linear"}), HasSubstr("memory is for contexts"));
  EXPECT_THAT(refusal({"linphe:theory", "linear:contexts"}), HasSubstr("fixed arms"));
  EXPECT_THAT(refusal({"logphe:ridge=0", "logistic:contexts"}), HasSubstr("ridge must be > 0"));
  EXPECT_EQ(refusal({"logphe", "linear:contexts,rewards=beta"}), "no error");
  EXPECT_EQ(refusal({"uniform", "disjoint"}), "no error");
}

TEST(Contexts, EqualRowsAreCountedTogether) {
  auto policy = LinPhe::create(3, {.perturbation_scale = 1}).value();
  const std::vector<double> x = {1, 2, 3};
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(policy.update(x, 1.0).ok());
  const std::size_t once = policy.save()->size();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(policy.update(x, 0.0).ok());
  EXPECT_EQ(policy.save()->size(), once);
}

TEST(Contexts, WithBoundedMemoryTheStateStopsGrowing) {
  for (const Pair& pair : {Pair{"linphe:memory=64", "linear:d=4,arms=7,contexts"},
                           Pair{"logphe:memory=64", "logistic:d=4,arms=7,contexts"}}) {
    Play bandit(pair, 2000);
    const auto policy = bandit.policy();
    Rng rng(9);
    bandit.play(*policy, rng, 0, 500);
    std::size_t largest = 0;
    for (std::uint64_t round = 500; round < 600; ++round) {
      bandit.play(*policy, rng, round, round + 1);
      largest = std::max(largest, policy->save()->size());
    }
    for (std::uint64_t round = 600; round < 1500; ++round) {
      bandit.play(*policy, rng, round, round + 1);
      if (round % 37 == 0) {
        EXPECT_LE(policy->save()->size(), largest + 1024) << pair.policy << ' ' << round;
      }
    }
  }
}

}  // namespace
}  // namespace phe::test
