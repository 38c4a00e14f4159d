#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "phe/simulate.hpp"

namespace phe {
namespace {

using testing::HasSubstr;

class Instances : public test::ProgramTest {};

TEST_F(Instances, GapsAreThoseOfTheInstancesThatPoliciesFace) {
  const auto outcome = run({"instances", "--problem", "linear:d=4,arms=9", "--instances", "3",
                            "--first-instance", "2", "--seed", "5", "--csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Experiment experiment;
  experiment.problems = {"linear:d=4,arms=9"};
  experiment.policies = {"uniform"};
  experiment.rounds = 1;
  experiment.seed = 5;
  const Plan plan = Plan::create(experiment, Registry::built_in()).value();
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "instance,best_arm,best_mean,smallest_gap,mean_gap,largest_gap");
  for (std::uint64_t number = 2; number < 5; ++number) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto instance = plan.instance(0, number).value();
    std::vector<double> gaps;
    for (ArmId arm = 0; arm < 9; ++arm) gaps.push_back(instance->gap(arm));
    std::ranges::sort(gaps);
    double mean = 0.0;
    for (const double gap : gaps) mean += gap / 9.0;
    std::istringstream fields(line);
    double value = 0.0;
    char comma = 0;
    fields >> value >> comma;
    EXPECT_EQ(value, static_cast<double>(number));
    fields >> value >> comma;
    EXPECT_EQ(instance->gap(static_cast<ArmId>(value)), 0.0);
    fields >> value >> comma;
    EXPECT_EQ(value, *std::ranges::max_element(instance->means()));
    fields >> value >> comma;
    EXPECT_EQ(value, gaps[1]);
    fields >> value >> comma;
    EXPECT_NEAR(value, mean, 1e-15);
    fields >> value;
    EXPECT_EQ(value, gaps.back());
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(Instances, AreShownAsATable) {
  const auto outcome = run({"instances", "--problem", "mab:arms=3", "--instances", "2"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("mab:arms=3, 3 arms, 3 features, seed 1\n"));
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 5);
}

TEST_F(Instances, AreTheSameInJsonAsInCsv) {
  const std::vector<std::string> asked = {"instances", "--problem", "mab:arms=3", "--instances",
                                          "4"};
  const auto with = [&](const char* flag) {
    auto words = asked;
    words.emplace_back(flag);
    return run(words).out;
  };
  const auto json = nlohmann::json::parse(with("--json"));
  EXPECT_EQ(json["problem"], "mab:arms=3");
  EXPECT_EQ(json["d"], 3);
  EXPECT_EQ(json["arms"], 3);
  EXPECT_EQ(json["seed"], 1);
  ASSERT_EQ(json["instances"].size(), 4U);
  std::istringstream lines(with("--csv"));
  std::string line;
  std::getline(lines, line);
  for (const auto& row : json["instances"]) {
    std::getline(lines, line);
    EXPECT_EQ(line, fmt::format("{},{},{},{},{},{}", row["instance"].get<int>(),
                                row["best_arm"].get<int>(), row["best_mean"].get<double>(),
                                row["smallest_gap"].get<double>(), row["mean_gap"].get<double>(),
                                row["largest_gap"].get<double>()));
  }
  EXPECT_EQ(run({"instances", "--json", "--csv"}).exit_code, 2);
}

TEST_F(Instances, OfOneArmAreSaidToHaveOneArm) {
  EXPECT_THAT(run({"instances", "--problem", "mab:arms=1", "--instances", "1"}).out,
              HasSubstr("mab:arms=1, 1 arm, 1 feature, seed 1\n"));
}

TEST_F(Instances, BadInputIsRefused) {
  for (const auto& [flag, value] : {std::pair{"--instances", "0"},
                                    {"--seed", "-1"},
                                    {"--first-instance", "x"},
                                    {"--problem", "lineer"}}) {
    const auto outcome = run({"instances", flag, value});
    EXPECT_EQ(outcome.exit_code, 2) << flag;
    EXPECT_THAT(outcome.err, HasSubstr(value));
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace phe
