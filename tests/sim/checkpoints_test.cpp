#include "sim/checkpoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phe/simulate.hpp"

namespace phe {
namespace {

using Rounds = std::vector<std::uint64_t>;
using testing::HasSubstr;

Rounds at(std::string_view rule, std::uint64_t rounds) {
  return checkpoints_of(rule, rounds).value();
}

TEST(Checkpoints, OfANumberAreSpreadEvenly) {
  EXPECT_EQ(at("4", 10), (Rounds{2, 5, 7, 10}));
  EXPECT_EQ(at("1", 10), Rounds{10});
  EXPECT_EQ(at("1e2", 3), (Rounds{1, 2, 3}));
}

TEST(Checkpoints, OfAllAreAllRounds) { EXPECT_EQ(at("all", 5), (Rounds{1, 2, 3, 4, 5})); }

TEST(Checkpoints, OfLogAreTenADecadeAndTheLastRound) {
  EXPECT_EQ(at("log", 1), Rounds{1});
  EXPECT_EQ(at("log", 12), (Rounds{1, 2, 3, 4, 5, 6, 8, 10, 12}));
  EXPECT_EQ(at("log", 130),
            (Rounds{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 130}));
  const Rounds many = at("log", 1'000'000'000);
  EXPECT_EQ(many.size(), 7U + 8 * 10 + 1);
  EXPECT_TRUE(std::ranges::adjacent_find(many, std::greater_equal()) == many.end());
  EXPECT_EQ(many.back(), 1'000'000'000U);
}

TEST(Checkpoints, OfAnythingElseAreRefused) {
  for (const char* const rule : {"", "0", "-1", "1.5", "logs", "1e10", "All"}) {
    const auto checkpoints = checkpoints_of(rule, 10);
    ASSERT_FALSE(checkpoints.ok()) << rule;
    EXPECT_THAT(checkpoints.error().message,
                HasSubstr("checkpoints must be all, log or a whole number from 1 to 1000000000"));
    EXPECT_THAT(checkpoints.error().message, HasSubstr("'" + std::string(rule) + "'"));
  }
}

// A run says the same wherever one looks at it.
TEST(Checkpoints, DoNotChangeTheRun) {
  const Registry registry = Registry::built_in();
  Experiment experiment{
      .problems = {"linear:d=3,arms=8"}, .policies = {"linphe:a=1"}, .rounds = 200, .instances = 1};
  const auto run = [&](const char* rule) {
    experiment.checkpoints = rule;
    const auto plan = Plan::create(experiment, registry).value();
    return std::pair{plan.checkpoints(), plan.run({0, 0, 0}).value().regret};
  };
  const auto [every_round, all] = run("all");
  for (const char* const rule : {"7", "log", "100"}) {
    const auto [rounds, regret] = run(rule);
    for (std::size_t i = 0; i < rounds.size(); ++i) EXPECT_EQ(regret[i], all[rounds[i] - 1]);
  }
}

}  // namespace
}  // namespace phe
