#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace phe {
namespace {

using Words = std::vector<std::string>;
using testing::HasSubstr;

class EvaluateCommand : public test::ProgramTest {
 protected:
  static std::string data(const std::string& name) {
    return test::in_source_tree("/tests/logs/data/" + std::string(name));
  }
  void expect_refused(const Words& arguments, const std::string& message) const {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.err, "phe: " + message + "\n");
    EXPECT_EQ(outcome.out, "");
  }
};

TEST_F(EvaluateCommand, ATableHasEveryEstimatorAndItsIntervals) {
  const auto outcome =
      run({"evaluate", data("small.jsonl"), "--target", "column=wanted", "--resamples", "100"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* const word :
       {"column=wanted on ", "n = 200, weights: mean", "normal", "bootstrap", "bernstein",
        "betting", "\n  logged ", "\n  ips ", "\n  clipped ", "\n  snips ", "\n  dm ", "\n  dr ",
        "\n  sndr ", "\n  switch ", "\n  dros ", "\nposition 3\n", "\nwarning: "})
    EXPECT_THAT(outcome.out, HasSubstr(word));
}

TEST_F(EvaluateCommand, JsonHasItsSchemaAndRepeatsItself) {
  const Words arguments = {"evaluate",    data("small.csv"),
                           "--target",    "uniform",
                           "--actions",   "5",
                           "--intervals", "normal,bernstein,betting,bootstrap",
                           "--json"};
  const auto outcome = run(arguments);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, run(arguments).out);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["diagnostics"]["n"], 200);
  for (const char* const key : {"ess", "max_weight", "mean_weight", "over_clip"})
    EXPECT_TRUE(json["diagnostics"][key].is_number()) << key;
  EXPECT_TRUE(json["diagnostics"]["support_violations"].is_null());
  ASSERT_EQ(json["estimates"].size(), 8U);
  EXPECT_EQ(json["estimates"][0]["estimator"], "ips");
  EXPECT_TRUE(json["estimates"][0]["value"].is_number());
  EXPECT_TRUE(json["estimates"][0]["se"].is_number());
  for (const char* const name : {"normal", "bernstein", "betting", "bootstrap"}) {
    const auto& interval = json["estimates"][0]["intervals"][name];
    ASSERT_EQ(interval.size(), 2U) << name;
    EXPECT_LT(interval[0], json["estimates"][0]["value"]);
    EXPECT_GT(interval[1], json["estimates"][0]["value"]);
  }
  EXPECT_EQ(json["positions"].size(), 3U);
  EXPECT_EQ(json["positions"][1]["position"], 2);
  EXPECT_EQ(json["lines"]["decisions"], 200);
}

TEST_F(EvaluateCommand, ModelsNeedTheirFlagsOnly) {
  const auto value_of = [&](const Words& more, std::size_t estimator) {
    Words arguments = {"evaluate", data("small.csv"), "--columns", "features=colour",
                       "--target", "column=wanted_*", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    return estimator < json["estimates"].size()
               ? json["estimates"][estimator]["value"].get<double>()
               : -1.0;
  };
  const double table = value_of({}, 3);
  const double ridge = value_of({"--model", "ridge"}, 3);
  EXPECT_NE(table, ridge);
  EXPECT_NE(table, value_of({"--folds", "1"}, 3));
  EXPECT_NE(ridge, value_of({"--model", "ridge", "--ridge", "10"}, 3));
  EXPECT_EQ(value_of({"--model", "none"}, 3), -1.0);
  EXPECT_EQ(value_of({"--model", "none"}, 0), value_of({}, 0));
}

TEST_F(EvaluateCommand, BadLinesAreRefusedOrToldAndLeftOut) {
  test::put(temporary_ / "x.csv", "action,reward,propensity\n0,1,0.5\n1,0,0\n1,1,0.5\n0,nan,0.5\n");
  const Words arguments = {"evaluate", path("x.csv"), "--target", "uniform", "--actions", "2"};
  expect_refused(arguments,
                 path("x.csv") + ", line 3: propensity must be above 0 and at most 1, got 0");
  Words skipping = arguments;
  skipping.insert(skipping.end(), {"--bad-lines", "skip", "--json"});
  const auto outcome = run(skipping);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err,
            "phe: " + path("x.csv") +
                ", line 3: propensity must be above 0 and at most 1, got 0\nphe: " + path("x.csv") +
                ", line 5: reward must be a finite number, got nan\n"
                "phe: 2 bad lines are left out, 2 of them named above\n");
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["diagnostics"]["n"], 2);
  EXPECT_EQ(json["lines"]["bad"], 2);
}

TEST_F(EvaluateCommand, BadFlagsAreRefusedInOneLine) {
  const std::string log = data("small.csv");
  expect_refused({"evaluate"}, "no log given, for example log.jsonl");
  expect_refused({"evaluate", log}, "no target given, for example --target uniform");
  expect_refused({"evaluate", log, "--target", "best"},
                 "--target must be uniform, column=NAME, always=ACTION, frequencies=LOG or "
                 "beta-prior=FILE, got 'best'");
  expect_refused({"evaluate", log, "--target", "uniform"},
                 log + ", line 2: the log does not say how many actions there are: give --actions");
  expect_refused({"evaluate", log, "--target", "always=7", "--actions", "5"},
                 "--target always=7: there are 5 actions, from 0");
  expect_refused({"evaluate", log, "--target", "uniform", "--actions", "3"},
                 log + ", line 2: unknown action 4: there are 3, from 0 to 2");
  expect_refused({"evaluate", "x.log", "--target", "uniform"},
                 "x.log: what it is written in cannot be told from its name; give --format");
  expect_refused({"evaluate", "none.csv", "--target", "uniform"},
                 "none.csv: No such file or directory");
  expect_refused({"evaluate", log, "--target", "uniform", "--clip", "0"},
                 "--clip must be a number above 0, got '0'");
  expect_refused({"evaluate", log, "--target", "uniform", "--confidence", "1"},
                 "--confidence must be a number between 0 and 1, got '1'");
  expect_refused({"evaluate", log, "--target", "uniform", "--rewards", "1,0"},
                 "--rewards must be the lowest and the highest reward, as 0,1; got '1,0'");
  expect_refused({"evaluate", log, "--target", "uniform", "--intervals", "exact"},
                 "--intervals must be of normal, bernstein, betting, bootstrap, got 'exact'");
  expect_refused({"evaluate", log, "--target", "uniform", "--model", "trees"},
                 "--model must be none, table or ridge, got 'trees'");
  expect_refused({"evaluate", log, "--target", "column=wanted", "--model", "table"},
                 log +
                     ", line 2: a reward model needs the target's probabilities of all actions, "
                     "and the column has only that of the logged one: give --model none");
}

TEST_F(EvaluateCommand, APriorIsATarget) {
  test::put(
      temporary_ / "prior.csv",
      "campaign,action,alpha,beta\na,0,1,1\nb,0,2,30\nb,1,3,30\nb,2,4,30\nb,3,5,30\nb,4,6,30\n");
  const auto outcome = run({"evaluate", data("small.csv"), "--target",
                            "beta-prior=" + path("prior.csv") + ",campaign=b", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["estimates"].size(), 8U);
  expect_refused({"evaluate", data("small.csv"), "--target",
                  "beta-prior=" + path("prior.csv") + ",campaign=c"},
                 path("prior.csv") + ": no row has campaign=c");
  expect_refused({"evaluate", data("small.csv"), "--target", "beta-prior=" + path("prior.csv")},
                 path("prior.csv") +
                     ", line 3: actions must come in order from 0, each once: expected 1, got 0");
}

TEST_F(EvaluateCommand, HelpHasAnExample) {
  EXPECT_THAT(run({"evaluate", "--help"}).out, HasSubstr("\n  phe evaluate log.jsonl"));
  EXPECT_THAT(run({"--help"}).out, HasSubstr("phe evaluate"));
}

}  // namespace
}  // namespace phe
