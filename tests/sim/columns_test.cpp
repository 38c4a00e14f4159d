// The optional columns of a run: the sum of its rewards, and its pulls of a best arm.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/simulate.hpp"

namespace phe {
namespace {

using testing::HasSubstr;

class Columns : public testing::Test {
 protected:
  [[nodiscard]] Plan plan(const char* problem, const char* policy,
                          std::vector<std::string> columns) const {
    return Plan::create({.problems = {problem},
                         .policies = {policy},
                         .rounds = 300,
                         .instances = 2,
                         .checkpoints = "all",
                         .columns = std::move(columns)},
                        registry_)
        .value();
  }

  Registry registry_ = Registry::built_in();
};

TEST_F(Columns, AreEmptyUnlessAskedForAndChangeNoRegret) {
  for (const char* const problem : {"linear:d=3,arms=8", "linear:d=3,arms=8,contexts"}) {
    const auto plain = plan(problem, "linphe:a=1", {}).run({0, 0, 1}).value();
    EXPECT_TRUE(plain.reward.empty());
    EXPECT_TRUE(plain.best_pulls.empty());
    const auto one = plan(problem, "linphe:a=1", {"best_pulls"}).run({0, 0, 1}).value();
    EXPECT_TRUE(one.reward.empty());
    EXPECT_EQ(one.best_pulls.size(), 300U);
    const auto both = plan(problem, "linphe:a=1", {"best_pulls", "reward"}).run({0, 0, 1}).value();
    EXPECT_EQ(both.reward.size(), 300U);
    EXPECT_EQ(both.best_pulls, one.best_pulls);
    EXPECT_EQ(both.regret, plain.regret);
    EXPECT_EQ(one.regret, plain.regret);
  }
}

// The literal version: a uniform policy does not look at rewards, so its choices can be drawn
// again.
TEST_F(Columns, AreWhatALiteralRoundAddsUp) {
  const Plan p = plan("linear:d=3,arms=4", "uniform", {"reward", "best_pulls"});
  const auto run = p.run({0, 0, 0}).value();
  const auto bandit = p.instance(0, 0).value();
  const std::span<const double> means = bandit->means();
  const auto best = static_cast<ArmId>(std::ranges::max_element(means) - means.begin());
  Rng rng(p.problems()[0]
              .instance_key(1, 0)
              .with(Stream::policy)
              .with(p.policies()[0].parameters.canonical()));
  const auto policy = p.policies()[0].make(PolicyContext::of(*bandit, 300)).value();
  double reward = 0.0;
  std::uint64_t best_pulls = 0;
  for (std::uint64_t round = 0; round < 300; ++round) {
    const ArmId arm = policy->select(rng);
    reward += bandit->reward(round, arm);
    best_pulls += arm == best ? 1 : 0;
    ASSERT_EQ(run.reward[round], reward);
    ASSERT_EQ(run.best_pulls[round], best_pulls);
  }
  EXPECT_GT(best_pulls, 0U);
  EXPECT_LT(best_pulls, 300U);
}

TEST_F(Columns, OfAnotherNameAreRefusedWithTheNearest) {
  const auto refused = [&](std::vector<std::string> columns) {
    return Plan::create(
               {.problems = {"linear"}, .policies = {"linphe"}, .columns = std::move(columns)},
               registry_)
        .error()
        .message;
  };
  EXPECT_EQ(refused({"rewards"}),
            "no column is called 'rewards'; did you mean 'reward'? (columns: reward, best_pulls)");
  EXPECT_EQ(refused({"reward", "reward"}), "column reward is given twice");
  EXPECT_THAT(refused({""}), HasSubstr("no column is called ''"));
}

}  // namespace
}  // namespace phe
