#include "tune/log_trials.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/replicates.hpp"
#include "support/temporary_folder.hpp"
#include "tune/tune.hpp"

namespace phe::tune {
namespace {

class LogTrialsTest : public testing::Test {
 protected:
  LogTrials trials(const std::string& text, const std::string& objective) const {
    test::put(folder_ / "log.jsonl", text);
    auto made = LogTrials::read({{(folder_ / "log.jsonl").string()}, {}}, "", {.name = objective});
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    return std::move(made).value();
  }
  // The rewards of a policy on so many halves, from that instance on.
  static std::vector<double> values(const LogTrials& trials, const std::string& policy,
                                    std::uint64_t first, std::uint64_t count) {
    Registry registry = Registry::built_in();
    registry.add(trials.problem("x"));
    const auto plan = Plan::create({.problems = {"log:identity=x"},
                                    .policies = {policy},
                                    .rounds = 1000,
                                    .instances = count,
                                    .first_instance = first,
                                    .checkpoints = "1"},
                                   registry);
    EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
    std::map<RunId, double> found;
    const auto done =
        trials.simulate(plan.value(), plan->runs(),
                        {.threads = 2,
                         .on_run = [&](const RunResult& run) { found[run.id] = -run.regret[0]; },
                         .stop = {}});
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
    std::vector<double> list;
    for (const auto& [id, value] : found) list.push_back(value);
    return list;
  }
  static std::string row(std::size_t action, int reward, std::string_view more = "") {
    return fmt::format("{{\"action\":{},\"reward\":{},\"propensity\":0.5,\"actions\":2{}}}\n",
                       action, reward, more);
  }
  test::TemporaryFolder folder_;
};

// Rewards are 0 in the rows for tuning and 1 in those for the comparison.
TEST_F(LogTrialsTest, TuningNeverSeesTheRowsOfTheComparison) {
  std::string text;
  for (std::size_t i = 0; i < 200; ++i) text += row(i % 2, i < 120 ? 0 : 1);
  for (const char* const objective : {"replay", "snips"}) {
    const LogTrials log = trials(text, objective);
    EXPECT_EQ(log.final_rows(), 80U);
    for (const std::uint64_t stage : {0U, 1U, 2U})
      for (const double value : values(log, "uniform", stage * first_instance_of_stage, 20))
        EXPECT_EQ(value, 0.0) << objective;
    for (const double value : values(log, "uniform", first_final_instance, 20))
      EXPECT_EQ(value, 1.0) << objective;
  }
}

// Before the comparison action 0 pays, in it action 1 does. A policy that has learnt only from
// before takes action 0 and earns nothing; one that learnt in it would earn.
TEST_F(LogTrialsTest, AnEstimateIsOfWhatWasLearntBefore) {
  std::string text;
  for (std::size_t i = 0; i < 200; ++i)
    text += row(i / 2 % 2, (i / 2 % 2 == 0) == (i < 120) ? 1 : 0);
  const LogTrials log = trials(text, "ips");
  for (const double value : values(log, "greedy", first_final_instance, 10)) EXPECT_EQ(value, 0.0);
  for (const double value : values(log, "greedy", 0, 10)) EXPECT_GT(value, 0.6);
}

// Each row has a context of its own, in which the logged action is right or not by chance. A policy
// that was judged on rows that it learnt would know: it would have about 1, not about 1/2.
TEST_F(LogTrialsTest, AnEstimateJudgesNoRowThatItLearnt) {
  constexpr std::size_t rows = 100;
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<int> context(rows, 0);
    context[i] = 1;
    text += row(i % 2, static_cast<int>(i / 2 % 2),
                fmt::format(",\"context\":[{}]", fmt::join(context, ",")));
  }
  for (const double value : values(trials(text, "snips"), "greedy:disjoint", 0, 10)) {
    EXPECT_GT(value, 0.2);
    EXPECT_LT(value, 0.8);
  }
}

// The mean reward of all 400 final rows has the standard error sqrt(v / 400), v the variance of
// theirs. The spread between 300 halves must say so. An estimate of a deviation from 300 has itself
// one of 4 %: 16 % is four of them.
TEST_F(LogTrialsTest, TheSpreadBetweenHalvesIsTheErrorOfTheLog) {
  std::string text;
  double ones = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const int reward = to_unit(StreamKey(i).value()) < 0.3 ? 1 : 0;
    ones += i >= 600 ? reward : 0;
    text += row(i % 2, reward);
  }
  const auto found = mean_and_error(
      values(trials(text, "ips"), "uniform", first_final_instance, 300), Replicates::halves);
  const double mean = ones / 400;
  const double error = std::sqrt(mean * (1 - mean) / 399);
  EXPECT_NEAR(found.standard_error, error, 0.16 * error);
  EXPECT_NEAR(found.mean, mean, 4 * error / std::sqrt(300.0));
}

}  // namespace
}  // namespace phe::tune
