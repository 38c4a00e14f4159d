// Each warning, from a log that calls for it, and not from one that does not.
#include "logs/warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace phe::logs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class WarningsTest : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> warnings_of(
      const std::string& rows, const EvaluateOptions& options = {},
      const std::string& header = "action,reward,propensity,q") const {
    test::put(folder_ / "x.csv", header + "\n" + rows);
    Log log{{(folder_ / "x.csv").string()}, {}};
    auto target = make_target("column=q", log);
    const auto evaluation = evaluate(log, *target.value(), options);
    EXPECT_TRUE(evaluation.ok()) << (evaluation ? "" : evaluation.error().message);
    return evaluation->warnings;
  }
  static std::string repeated(const std::string& row, int count) {
    std::string rows;
    for (int i = 0; i < count; ++i) rows += row + "\n";
    return rows;
  }

  test::TemporaryFolder folder_;
};

TEST_F(WarningsTest, AGoodLogHasOnlyTheRangeToWarnOf) {
  EvaluateOptions options;
  options.model = ModelKind::none;
  options.largest_weight = 1.0;
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0.5\n1,0,0.5,0.5", 100), options),
              testing::ElementsAre());
  options.largest_weight.reset();
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0.5\n1,0,0.5,0.5", 100), options),
              testing::ElementsAre(HasSubstr("the largest possible weight is not known")));
}

TEST_F(WarningsTest, ASmallEffectiveSampleIsTold) {
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0.5", 99)),
              Contains(HasSubstr("the effective sample is 99.0 rows of 99, under 100")));
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0.5", 101)),
              Not(Contains(HasSubstr("effective sample"))));
}

TEST_F(WarningsTest, AMeanWeightFarFromOneIsTold) {
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0.25", 200)),
              Contains(HasSubstr("the mean weight is 0.5000 ± 0.0000, and should be 1")));
}

TEST_F(WarningsTest, ARowThatDecidesIsNamed) {
  const auto list = warnings_of(repeated("0,0,0.5,0.5", 150) + "1,1,0.001,0.5\n");
  EXPECT_THAT(list, Contains(HasSubstr("x.csv, line 152 has 77% of all weight (w = 500)")));
  EXPECT_THAT(list, Contains(HasSubstr("x.csv, line 152 alone is 100% of IPS")));
}

TEST_F(WarningsTest, RewardsBeyondTheirRangeAreTold) {
  EXPECT_THAT(warnings_of(repeated("0,2,0.5,0.5", 150)),
              Contains(HasSubstr("rewards go from 2 to 2, outside of 0 to 1")));
}

TEST_F(WarningsTest, APolicyThatLearnsIsTold) {
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0.5\n0,1,0.1,0.1", 100)),
              Contains(HasSubstr("the propensity of one action in one place varies 5.0-fold")));
}

TEST_F(WarningsTest, EstimatorsThatAreLeftOutAreTold) {
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0.5", 150)),
              Contains(HasSubstr("DM, DR, SNDR, switch and DRos are left out")));
}

TEST_F(WarningsTest, ATargetThatIsNeverLoggedIsTold) {
  EXPECT_THAT(warnings_of(repeated("0,1,0.5,0", 150)),
              Contains(HasSubstr("no logged action has a chance under the target")));
}

TEST_F(WarningsTest, AnActionThatCouldNotBeLoggedIsASupportViolation) {
  test::put(folder_ / "x.jsonl",
            repeated(R"({"action":0,"reward":1,"probabilities":[1,0,0,0]})", 3) +
                repeated(R"({"action":0,"reward":1,"probabilities":[0.25,0.25,0.25,0.25]})", 4));
  Log log{{(folder_ / "x.jsonl").string()}, {}};
  auto target = make_target("uniform", log);
  const auto evaluation = evaluate(log, *target.value(), {});
  ASSERT_TRUE(evaluation.ok());
  EXPECT_EQ(evaluation->whole.diagnostics.support_violations, 3U);
  EXPECT_THAT(evaluation->warnings, Contains(HasSubstr("on 3 of 7 rows the target may choose")));
}

TEST_F(WarningsTest, AModelThatIsBiasedOnTheLogIsTold) {
  // Seen in the log: action 1 earns 1, but only where its propensity is small.
  const std::string header = "action,reward,propensity,q_0,q_1";
  EvaluateOptions options;
  options.folds = {1};
  test::put(folder_ / "x.csv",
            header + "\n" + repeated("1,0,0.9,0.5,0.5", 300) + repeated("1,1,0.1,0.5,0.5", 300));
  Log log{{(folder_ / "x.csv").string()}, {}};
  auto target = make_target("column=q_*", log);
  const auto evaluation = evaluate(log, *target.value(), options);
  ASSERT_TRUE(evaluation.ok());
  EXPECT_THAT(evaluation->warnings, Contains(HasSubstr("the reward model is biased on this log")));
  EXPECT_THAT(evaluation->warnings, Contains(HasSubstr("the standard error of DM")));
}

}  // namespace
}  // namespace phe::logs
