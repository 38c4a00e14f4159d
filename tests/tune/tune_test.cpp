#include "tune/tune.hpp"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"
#include "support/text.hpp"
#include "support/toy.hpp"

namespace phe::tune {
namespace {

using testing::HasSubstr;

TEST(Budget, IsRunsOrTime) {
  EXPECT_EQ(budget_of("2000")->runs, 2000U);
  EXPECT_EQ(budget_of("1e3")->runs, 1000U);
  EXPECT_EQ(budget_of("60s")->seconds, 60.0);
  EXPECT_EQ(budget_of("1.5min")->seconds, 90.0);
  EXPECT_EQ(budget_of("2 h")->seconds, 7200.0);
  for (const char* const text :
       {"", "0", "0s", "-5", "-5s", "nan s", "inf h", "ten", "5 days", "s"})
    EXPECT_THAT(budget_of(text).error().message,
                HasSubstr("--budget must be a number of runs or a time above 0"))
        << text;
}

// A bench without bandits: the regret of toy:a=A on an instance is (log A)^2 and noise of it.
class Tuning : public testing::Test {
 protected:
  Request request(std::vector<std::string> policies, std::uint64_t runs) const {
    Request made{.problem = "toy"};
    for (const std::string& policy : policies) {
      auto families = families_of(policy).value();
      std::ranges::move(families, std::back_inserter(made.families));
    }
    made.rounds = 5;
    made.budget.runs = runs;
    return made;
  }
  DoRuns bench() {
    return [this](std::size_t stage, const Plan& plan, const std::vector<RunId>& ids,
                  Runs& runs) -> Result<bool> {
      for (const RunId& id : ids) {
        Parameters parameters = plan.policies()[id.policy].parameters;
        const double at = std::log(parameters.real("a"));
        SplitMix words(StreamKey(id.instance));
        const double shared = 10 * to_unit(words());
        const double own =
            to_unit(StreamKey(id.instance).with(plan.policies()[id.policy].text).value());
        runs[id] = {id, {at * at + shared + own}, 1e-3};
        seen_[stage].insert(id.instance);
        ++runs_;
      }
      return go_on_;
    };
  }

  Registry registry_ = test::toy_registry();
  std::map<std::size_t, std::set<std::uint64_t>> seen_;
  std::uint64_t runs_ = 0;
  bool go_on_ = true;
};

TEST_F(Tuning, FindsTheBestValueAndItsWinner) {
  const auto tuned =
      tune(request({"toy:a=0.05..20,label=x", "toy:a=3,label=y"}, 4000), registry_, bench());
  ASSERT_TRUE(tuned.ok()) << tuned.error().message;
  const Tuned& found = tuned->value();
  EXPECT_EQ(found.winner, 0U);
  const std::string& best = found.families[0].best;
  const double a = parse_number<double>(best.substr(6, best.find(',') - 6)).value();
  // (log a)^2 differs by less than 0.02, a tenth of the noise's spread of 0.29, within these.
  EXPECT_GT(a, 0.85);
  EXPECT_LT(a, 1.18);
  ASSERT_EQ(found.differences.size(), 1U);
  // toy:a=3 is worse by (log 3)^2 = 1.207 of mean.
  EXPECT_LT(found.differences[0].low, -1.207 + std::log(a) * std::log(a));
  EXPECT_GT(found.differences[0].high, -1.207 + std::log(a) * std::log(a));
  EXPECT_TRUE(found.families[0].at_edge.empty());
  EXPECT_EQ(found.families[1].best, "toy:a=3,label=y");
  EXPECT_TRUE(found.families[1].points.empty());
}

TEST_F(Tuning, KeepsToItsBudget) {
  for (const std::uint64_t budget : {400U, 1000U, 5000U}) {
    runs_ = 0;
    const auto tuned =
        tune(request({"toy:a=0.05..20", "toy:a=0.1..10,label=y"}, budget), registry_, bench());
    ASSERT_TRUE(tuned.ok()) << tuned.error().message;
    EXPECT_EQ(tuned->value().runs_done, runs_);
    EXPECT_LE(runs_, budget);
    EXPECT_GT(runs_, budget * 9 / 10);
  }
}

TEST_F(Tuning, ComparesOnInstancesThatNoStageSaw) {
  ASSERT_TRUE(tune(request({"toy:a=0.05..20"}, 1000), registry_, bench()).ok());
  ASSERT_EQ(seen_.size(), 4U);
  std::set<std::uint64_t> all;
  std::size_t count = 0;
  for (const auto& [stage, instances] : seen_) {
    all.insert(instances.begin(), instances.end());
    count += instances.size();
  }
  EXPECT_EQ(all.size(), count);
}

TEST_F(Tuning, IsTheSameForASeedAndABudgetInRuns) {
  const auto once = [&](std::uint64_t seed, unsigned workers) {
    Request asked = request({"toy:a=0.05..20"}, 1000);
    asked.seed = seed;
    asked.workers = workers;
    const auto tuned = tune(asked, registry_, bench()).value();
    std::vector<std::pair<std::string, double>> points;
    for (const Point& point : tuned->families[0].points)
      points.emplace_back(point.spec, point.regret.mean);
    return points;
  };
  EXPECT_EQ(once(1, 1), once(1, 8));
  EXPECT_NE(once(1, 1), once(2, 1));
}

TEST_F(Tuning, SaysThatTheBestIsAtTheEdge) {
  const auto tuned = tune(request({"toy:a=2..20"}, 2000), registry_, bench()).value();
  EXPECT_EQ(tuned->families[0].at_edge, std::vector<std::string>{"a"});
  EXPECT_EQ(tuned->families[0].best, "toy:a=2");
}

TEST_F(Tuning, OfTwoFamiliesThatFindTheSameComparesItOnce) {
  const auto tuned =
      tune(request({"toy:a=1", "toy:a=1.0,label=none", "toy:a=2"}, 500), registry_, bench());
  ASSERT_TRUE(tuned.ok()) << tuned.error().message;
  EXPECT_EQ(tuned->value().plan.policies().size(), 2U);
  EXPECT_EQ(tuned->value().families[1].finalist, 0U);
  EXPECT_EQ(tuned->value().families[2].finalist, 1U);
}

TEST_F(Tuning, EndsWhenItIsInterrupted) {
  go_on_ = false;
  const auto tuned = tune(request({"toy:a=0.05..20"}, 1000), registry_, bench());
  ASSERT_TRUE(tuned.ok());
  EXPECT_FALSE(tuned->has_value());
}

TEST_F(Tuning, RefusesABudgetThatIsTooSmallBeforeAnyRun) {
  const auto tuned = tune(request({"toy:a=0.05..20", "toy"}, 50), registry_, bench());
  ASSERT_FALSE(tuned.ok());
  EXPECT_EQ(tuned.error().message,
            "--budget of 50 runs is too small for 2 policies, 1 of them with ranges; at least 146 "
            "are needed");
  EXPECT_EQ(runs_, 0U);
  EXPECT_TRUE(tune(request({"toy:a=0.05..20", "toy"}, 146), registry_, bench()).ok());
}

// A race keeps no more points than it can tell apart: bad ones go early and cost little.
TEST_F(Tuning, SpendsLittleOnPointsThatAreFarOff) {
  const auto tuned = tune(request({"toy:a=0.01..100"}, 3000), registry_, bench()).value();
  for (const Point& point : tuned->families[0].points)
    if (point.stage == 0 && std::abs(point.place[0] - 0.5) > 0.3) {
      EXPECT_TRUE(point.dropped) << point.spec;
      EXPECT_LE(point.instances, 16U) << point.spec;
    }
}

}  // namespace
}  // namespace phe::tune
