#include "phe/simulate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <new>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"

namespace phe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A policy that pulls arms in turn.
class RoundRobin final : public Policy {
 public:
  explicit RoundRobin(std::size_t arms) : arms_(arms) {}
  ArmId select(Rng&) override { return static_cast<ArmId>(next_ % arms_); }
  Result<void> update(ArmId, double) override {
    ++next_;
    return {};
  }
  [[nodiscard]] std::string_view name() const noexcept override { return "round_robin"; }

 private:
  std::size_t arms_;
  std::size_t next_ = 0;
};

class Simulation : public ::testing::Test {
 protected:
  Simulation() : registry(Registry::built_in()) {
    using Made = Result<std::unique_ptr<Policy>>;
    registry.add(PolicyEntry{
        "round_robin", "arms in turn", {}, [](Parameters&, const PolicyContext& context) -> Made {
          return std::make_unique<RoundRobin>(context.arms.size());
        }});
    registry.add(
        PolicyEntry{"broken", "cannot be made", {}, [](Parameters&, const PolicyContext&) -> Made {
                      return invalid("broken: out of order");
                    }});
  }

  [[nodiscard]] Plan plan(const Experiment& experiment) const {
    return Plan::create(experiment, registry).value();
  }

  static std::map<RunId, std::vector<double>> run_all(const Plan& plan, unsigned threads) {
    std::map<RunId, std::vector<double>> results;
    SimulateOptions options;
    options.threads = threads;
    options.on_run = [&](const RunResult& run) { results[run.id] = run.regret; };
    EXPECT_TRUE(simulate(plan, plan.runs(), options).ok());
    return results;
  }

  Registry registry;
  Experiment small{.problems = {"linear:d=3,arms=12", "linear:d=5,arms=12"},
                   .policies = {"linphe:a=1", "linphe:a=0.5", "round_robin"},
                   .rounds = 300,
                   .instances = 6,
                   .first_instance = 2,
                   .seed = 9};
};

TEST_F(Simulation, CheckpointsAreAHundredOrMoreAndEndWithTheLastRound) {
  for (const std::uint64_t rounds : {1, 2, 99, 100, 101, 199, 250, 1000, 10'007}) {
    small.rounds = rounds;
    const auto checkpoints = plan(small).checkpoints();
    EXPECT_GE(checkpoints.size(), std::min<std::uint64_t>(rounds, 100));
    EXPECT_EQ(checkpoints.back(), rounds);
    EXPECT_GE(checkpoints.front(), 1U);
    for (std::size_t i = 1; i < checkpoints.size(); ++i)
      EXPECT_LT(checkpoints[i - 1], checkpoints[i]);
  }
}

TEST_F(Simulation, EveryRoundIsACheckpointWhenThereAreFew) {
  small.rounds = 37;
  const auto checkpoints = plan(small).checkpoints();
  ASSERT_EQ(checkpoints.size(), 37U);
  for (std::size_t i = 0; i < 37; ++i) EXPECT_EQ(checkpoints[i], i + 1);
}

TEST_F(Simulation, CheckpointsAreRoundedDownWhereRoundsAreNoMultipleOfAHundred) {
  small.rounds = 250;
  const auto checkpoints = plan(small).checkpoints();
  ASSERT_EQ(checkpoints.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(checkpoints[i], 5 * (i + 1) / 2);
}

TEST_F(Simulation, RunsAreAllCombinationsInOrder) {
  const auto runs = plan(small).runs();
  EXPECT_EQ(runs.size(), 2U * 3U * 6U);
  EXPECT_TRUE(std::ranges::is_sorted(runs));
  EXPECT_EQ(runs.front(), (RunId{0, 0, 2}));
  EXPECT_EQ(runs.back(), (RunId{1, 2, 7}));
}

TEST_F(Simulation, RegretIsTheSumOfGapsOfAHandWrittenLoop) {
  const Plan p = plan(small);
  for (const RunId id : p.runs()) {
    const auto run = p.run(id).value();
    EXPECT_EQ(run.id, id);
    const StreamKey key =
        StreamKey(9).with(p.problems()[id.problem].parameters.canonical()).with(id.instance);
    const auto instance = p.problems()[id.problem].problem->draw(key).value();
    const auto& spec = p.policies()[id.policy];
    auto policy = spec.make({instance->arms(), 300, instance->reward_range()}).value();
    Rng rng(key.with(Stream::policy).with(spec.parameters.canonical()));
    const double best = *std::ranges::max_element(instance->means());
    std::vector<double> regret;
    double sum = 0;
    for (std::uint64_t t = 0; t < 300; ++t) {
      const ArmId arm = policy->select(rng);
      EXPECT_TRUE(policy->update(arm, instance->reward(t, arm)).ok());
      regret.push_back(sum += best - instance->means()[arm]);
    }
    ASSERT_EQ(run.regret.size(), p.checkpoints().size());
    for (std::size_t i = 0; i < run.regret.size(); ++i)
      ASSERT_EQ(run.regret[i], regret[p.checkpoints()[i] - 1]);
  }
}

TEST_F(Simulation, PullingArmsInTurnHasTheRegretOfEqualPulls) {
  small.policies = {"round_robin"};
  small.rounds = 120;
  const Plan p = plan(small);
  const auto run = p.run({0, 0, 2}).value();
  const StreamKey key = StreamKey(9).with(p.problems()[0].parameters.canonical()).with(2);
  const auto instance = p.problems()[0].problem->draw(key).value();
  double gaps = 0;
  for (ArmId arm = 0; arm < 12; ++arm) gaps += instance->gap(arm);
  EXPECT_NEAR(run.regret.back(), 10 * gaps, 1e-12);
}

TEST_F(Simulation, RegretNeverFalls) {
  for (const auto& [id, regret] : run_all(plan(small), 1)) {
    EXPECT_TRUE(std::ranges::is_sorted(regret));
    EXPECT_GE(regret.front(), 0.0);
  }
}

TEST_F(Simulation, ResultsDoNotDependOnTheNumberOfThreads) {
  const Plan p = plan(small);
  const auto one = run_all(p, 1);
  EXPECT_EQ(one.size(), p.runs().size());
  EXPECT_EQ(run_all(p, 2), one);
  EXPECT_EQ(run_all(p, 4), one);
  EXPECT_EQ(run_all(p, 0), one);
}

TEST_F(Simulation, ARunDoesNotDependOnTheOtherPoliciesProblemsAndInstances) {
  const Plan all = plan(small);
  Experiment one = small;
  one.problems = {small.problems[1]};
  one.policies = {small.policies[1]};
  one.first_instance = 4;
  one.instances = 1;
  EXPECT_EQ(plan(one).run({0, 0, 4}).value().regret, all.run({1, 1, 4}).value().regret);
  Experiment reversed = small;
  std::ranges::reverse(reversed.policies);
  std::ranges::reverse(reversed.problems);
  EXPECT_EQ(plan(reversed).run({1, 2, 3}).value().regret, all.run({0, 0, 3}).value().regret);
}

TEST_F(Simulation, SeedsInstancesAndPoliciesHaveStreamsOfTheirOwn) {
  const auto regret = [&](const Experiment& e, RunId id) { return plan(e).run(id).value().regret; };
  Experiment other = small;
  other.seed = 10;
  EXPECT_NE(regret(small, {0, 0, 2}), regret(other, {0, 0, 2}));
  EXPECT_NE(regret(small, {0, 0, 2}), regret(small, {0, 0, 3}));
  EXPECT_NE(regret(small, {0, 0, 2}), regret(small, {0, 1, 2}));
}

TEST_F(Simulation, StopEndsEarlyAndReportsWhatWasDone) {
  const Plan p = plan(small);
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<int> reported = 0;
    SimulateOptions options;
    options.threads = threads;
    options.on_run = [&](const RunResult&) { ++reported; };
    options.stop = [&] { return reported >= 5; };
    EXPECT_TRUE(simulate(p, p.runs(), options).ok());
    // Each thread may be within a run when the fifth is reported.
    EXPECT_GE(reported, 5);
    EXPECT_LE(reported, 5 + static_cast<int>(threads));
  }
}

TEST_F(Simulation, StopAtOnceDoesNothing) {
  const Plan p = plan(small);
  SimulateOptions options;
  options.on_run = [](const RunResult&) { ADD_FAILURE(); };
  options.stop = [] { return true; };
  EXPECT_TRUE(simulate(p, p.runs(), options).ok());
  EXPECT_TRUE(simulate(p, {}, {}).ok());
}

TEST_F(Simulation, AFailedRunIsReportedAndEndsTheRest) {
  small.policies = {"linphe", "broken"};
  const Plan p = plan(small);
  for (const unsigned threads : {1U, 4U}) {
    SimulateOptions options;
    options.threads = threads;
    const auto result = simulate(p, p.runs(), options);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr("broken: out of order"));
  }
}

TEST_F(Simulation, ARunThatThrowsIsAnErrorAndNotTheEndOfTheProgram) {
  using Made = Result<std::unique_ptr<Policy>>;
  registry.add(
      PolicyEntry{"hungry", "needs too much", {}, [](Parameters&, const PolicyContext&) -> Made {
                    throw std::bad_alloc();
                  }});
  registry.add(PolicyEntry{
      "odd", "throws something else", {}, [](Parameters&, const PolicyContext&) -> Made {
        throw std::runtime_error("a reason");
      }});
  for (const auto& [policy, reason] :
       {std::pair{"hungry", "there is not enough memory"}, std::pair{"odd", "a reason"}})
    for (const unsigned threads : {1U, 4U}) {
      small.policies = {"round_robin", policy};
      const Plan p = plan(small);
      std::size_t reported = 0;
      SimulateOptions options;
      options.threads = threads;
      options.on_run = [&](const RunResult&) { ++reported; };
      const auto result = simulate(p, p.runs(), options);
      ASSERT_FALSE(result.ok());
      EXPECT_THAT(result.error().message,
                  AllOf(HasSubstr(policy), HasSubstr("linear:d=3"), HasSubstr(reason)));
      EXPECT_GT(reported, 0U);
    }
}

TEST_F(Simulation, AReportThatThrowsIsAnErrorToo) {
  const Plan p = plan(small);
  for (const unsigned threads : {1U, 4U}) {
    SimulateOptions options;
    options.threads = threads;
    options.on_run = [](const RunResult&) { throw std::bad_alloc(); };
    const auto result = simulate(p, p.runs(), options);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr("there is not enough memory"));
  }
}

TEST_F(Simulation, BadExperimentsAreRefusedByName) {
  const auto error = [&](const auto& change) -> std::string {
    Experiment e = small;
    change(e);
    const auto made = Plan::create(e, registry);
    return made ? "no error" : made.error().message;
  };
  EXPECT_THAT(error([](auto& e) { e.rounds = 0; }), HasSubstr("rounds must be"));
  EXPECT_THAT(error([](auto& e) { e.rounds = 2'000'000'000; }), HasSubstr("got '2000000000'"));
  EXPECT_THAT(error([](auto& e) { e.instances = 0; }), HasSubstr("instances must be"));
  EXPECT_THAT(error([](auto& e) { e.first_instance = 2'000'000; }), HasSubstr("first instance"));
  EXPECT_THAT(error([](auto& e) { e.problems.clear(); }), HasSubstr("no problem given"));
  EXPECT_THAT(error([](auto& e) { e.policies.clear(); }), HasSubstr("no policy given"));
  EXPECT_THAT(error([](auto& e) {
                e.policies = {"linphe:a=1", "linphe:a=1.0"};
              }),
              HasSubstr("policy linphe:a=1.0 is given twice: linphe:a=1 is the same"));
  EXPECT_THAT(error([](auto& e) {
                e.problems = {"linear:d=10", "linear"};
              }),
              HasSubstr("problem linear is given twice: linear:d=10 is the same"));
  EXPECT_EQ(error([](auto& e) {
              e.policies = {"linphe", "linphe"};
            }),
            "policy linphe is given twice");
  EXPECT_THAT(error([](auto& e) { e.policies = {"linpha"}; }), HasSubstr("linphe"));
}

TEST_F(Simulation, TableOneWithALambdaOfItsOwnIsAPolicyOfItsOwn) {
  small.policies = {"linphe:theory", "linphe:theory,ridge=1"};
  const auto made = Plan::create(small, registry);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_NE(made->policies()[0].parameters.canonical(), made->policies()[1].parameters.canonical());
}

TEST(MeanAndError, AgreesWithValuesWorkedOutByHand) {
  // Mean 5, sum of squares 32, variance 32/7, error sqrt(32/7/8).
  const auto eight = mean_and_error({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(eight.mean, 5);
  EXPECT_DOUBLE_EQ(eight.standard_error, std::sqrt(32.0 / 7.0 / 8.0));
  const auto two = mean_and_error({1, 3});
  EXPECT_DOUBLE_EQ(two.mean, 2);
  EXPECT_DOUBLE_EQ(two.standard_error, 1);
  EXPECT_EQ(mean_and_error({7}).mean, 7);
  EXPECT_EQ(mean_and_error({7}).standard_error, 0);
  EXPECT_EQ(mean_and_error({}).mean, 0);
  EXPECT_EQ(mean_and_error({3, 3, 3}).standard_error, 0);
}

TEST(MeanAndError, DoesNotLoseTheErrorOfLargeValuesCloseTogether) {
  const auto result = mean_and_error({1e9 + 1, 1e9 + 2, 1e9 + 3});
  EXPECT_DOUBLE_EQ(result.mean, 1e9 + 2);
  EXPECT_NEAR(result.standard_error, std::sqrt(1.0 / 3.0), 1e-9);
}

}  // namespace
}  // namespace phe
