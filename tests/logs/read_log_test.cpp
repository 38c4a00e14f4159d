#include "logs/read_log.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"
#include "support/temporary_folder.hpp"

namespace phe::logs {
namespace {

using testing::ElementsAre;

// A decision that outlives its line.
struct Copy {
  Decision decision;
  std::vector<double> probabilities, target;
  std::vector<std::string> features;
};

class ReadLog : public testing::Test {
 protected:
  [[nodiscard]] std::string path(std::string_view name) const { return (folder_ / name).string(); }
  [[nodiscard]] Log log(std::string_view name, std::string_view text) const {
    test::put(folder_ / name, text);
    return {{path(name)}, {}};
  }
  static std::vector<Copy> decisions_of(const Log& log) {
    std::vector<Copy> copies;
    const auto counts = read_log(log, [&](const Decision& d) -> Result<void> {
      copies.push_back({d,
                        {d.probabilities.begin(), d.probabilities.end()},
                        {d.target.begin(), d.target.end()},
                        {d.features.begin(), d.features.end()}});
      return {};
    });
    EXPECT_TRUE(counts.ok()) << (counts.ok() ? "" : counts.error().message);
    return copies;
  }
  static Result<ReadCounts> read(const Log& log) {
    return read_log(log, [](const Decision&) -> Result<void> { return {}; });
  }
  // What is said of the last line of `text`, after "FILE, line N: ".
  [[nodiscard]] std::string refusal(std::string_view name, const std::string& text,
                                    const LogOptions& options = {}) const {
    Log bad = log(name, text);
    bad.options = options;
    const auto counts = read(bad);
    if (counts) return "none";
    const auto line = std::count(text.begin(), text.end(), '\n') + 1;
    const std::string place = path(name) + ", line " + std::to_string(line) + ": ";
    const std::string& message = counts.error().message;
    return message.starts_with(place) ? message.substr(place.size()) : message;
  }
  [[nodiscard]] std::string csv_refusal(const std::string& row, std::size_t actions = 0) const {
    LogOptions options;
    options.actions = actions;
    return refusal("x.csv", "action,reward,propensity,position\n1,0,0.5,1\n" + row, options);
  }
  [[nodiscard]] std::string json_refusal(const std::string& line) const {
    return refusal("x.jsonl", R"({"action":1,"reward":0,"propensity":0.5})"
                              "\n" +
                                  line);
  }

  test::TemporaryFolder folder_;
};

TEST_F(ReadLog, CsvFindsItsPartsByName) {
  Log csv = log("x.csv", "p,extra,item,slot,click,u_0,u_1,q\n0.25,\"a,b\",3,2,1,x,\"y z\",0.5\n");
  csv.options.columns.action = "item";
  csv.options.columns.reward = "click";
  csv.options.columns.propensity = "p";
  csv.options.columns.position = "slot";
  csv.options.columns.features = {"u_*"};
  csv.options.want_features = true;
  csv.options.target_column = "q";
  const auto copies = decisions_of(csv);
  ASSERT_EQ(copies.size(), 1U);
  const Decision& d = copies[0].decision;
  EXPECT_EQ(d.action, 3U);
  EXPECT_EQ(d.reward, 1.0);
  EXPECT_EQ(d.propensity, 0.25);
  EXPECT_EQ(d.slot, 2U);
  EXPECT_EQ(d.actions, 0U);
  EXPECT_EQ(d.line, 2U);
  EXPECT_THAT(copies[0].features, ElementsAre("x", "y z"));
  EXPECT_THAT(copies[0].target, ElementsAre(0.5));
}

TEST_F(ReadLog, CsvColumnsThatAreMissingAreNamed) {
  EXPECT_EQ(read(log("x.csv", "acton,reward,propensity\n")).error().message,
            path("x.csv") +
                ": no column is called 'action' for action; did you mean 'acton'? (columns: acton, "
                "reward, propensity)");
  EXPECT_EQ(read(log("x.csv", "")).error().message,
            path("x.csv") + ": is empty, not even a header line");
}

TEST_F(ReadLog, JsonLinesHaveProbabilitiesAndFeatures) {
  Log json = log("x.jsonl", R"({"action":1,"reward":0.5,"probabilities":[0.25,0.75],"position":3})"
                            "\n\n"
                            R"({"action":0,"reward":-1,"propensity":1e-3,"actions":7,)"
                            R"("features":{"a":"x","b":2.5,"c":{"d":true}}})"
                            "\n");
  json.options.want_features = true;
  const auto copies = decisions_of(json);
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].decision.propensity, 0.75);
  EXPECT_EQ(copies[0].decision.actions, 2U);
  EXPECT_EQ(copies[0].decision.slot, 3U);
  EXPECT_THAT(copies[0].probabilities, ElementsAre(0.25, 0.75));
  EXPECT_THAT(copies[0].features, ElementsAre());
  EXPECT_EQ(copies[1].decision.actions, 7U);
  EXPECT_EQ(copies[1].decision.reward, -1.0);
  EXPECT_EQ(copies[1].decision.line, 3U);
  EXPECT_THAT(copies[1].features, ElementsAre("x", "2.5", "1"));
  EXPECT_THAT(read(json)->feature_names, ElementsAre("a", "b", "c.d"));
}

TEST_F(ReadLog, DsjsonOrdersProbabilitiesByAction) {
  const auto copies = decisions_of(
      log("x.dsjson", R"({"_label_cost":-2,"_label_probability":0.5,"_label_Action":3,"a":[3,1,2],)"
                      R"("p":[0.5,0.2,0.3],"pdrop":0.75,"c":{"_multi":[{},{},{}]}})"
                      "\n"));
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(copies[0].decision.action, 2U);
  EXPECT_EQ(copies[0].decision.reward, 2.0);
  EXPECT_EQ(copies[0].decision.actions, 3U);
  EXPECT_EQ(copies[0].decision.multiplicity, 4.0);
  EXPECT_THAT(copies[0].probabilities, ElementsAre(0.2, 0.3, 0.5));
}

TEST_F(ReadLog, DsjsonSkipsDanglingAndDeferredLinesAndCountsThem) {
  const std::string good =
      R"("_label_cost":0,"_label_probability":1,"_label_Action":1,"a":[1],"p":[1],"c":{}})";
  const auto counts =
      read(log("x.dsjson", "{" + good + "\n" + R"({"RewardValue":1,"EventId":"e"})" + "\n" +
                               R"({"_deferred":true,)" + good + "\n" + R"({"_skipLearn":true,)" +
                               good + "\n" + R"({"DeferredAction":false,)" + good + "\n"));
  ASSERT_TRUE(counts.ok()) << counts.error().message;
  EXPECT_EQ(counts->decisions, 2U);
  EXPECT_EQ(counts->dangling, 1U);
  EXPECT_EQ(counts->deferred, 2U);
  EXPECT_EQ(counts->bad, 0U);
}

TEST_F(ReadLog, BadPropensitiesAreNamed) {
  const std::string allowed = "propensity must be above 0 and at most 1, got ";
  EXPECT_EQ(csv_refusal("1,0,0,1"), allowed + "0");
  EXPECT_EQ(csv_refusal("1,0,-0.5,1"), allowed + "-0.5");
  EXPECT_EQ(csv_refusal("1,0,1.5,1"), allowed + "1.5");
  EXPECT_EQ(csv_refusal("1,0,nan,1"), allowed + "nan");
  EXPECT_EQ(csv_refusal("1,0,,1"), "propensity is missing");
  EXPECT_EQ(csv_refusal("1,0,x,1"), "propensity must be a number, got 'x'");
  EXPECT_EQ(json_refusal(R"({"action":1,"reward":0,"propensity":0})"), allowed + "0");
  EXPECT_EQ(json_refusal(R"({"action":1,"reward":0})"), "propensity is missing");
  EXPECT_EQ(json_refusal(R"({"action":1,"reward":0,"propensity":null})"),
            "propensity must be a number, got null");
}

TEST_F(ReadLog, BadRewardsAreNamed) {
  EXPECT_EQ(csv_refusal("1,nan,0.5,1"), "reward must be a finite number, got nan");
  EXPECT_EQ(csv_refusal("1,-inf,0.5,1"), "reward must be a finite number, got -inf");
  EXPECT_EQ(csv_refusal("1,,0.5,1"), "reward is missing");
  EXPECT_EQ(json_refusal(R"({"action":1,"propensity":0.5})"), "reward is missing");
  EXPECT_EQ(json_refusal(R"({"action":1,"reward":"1","propensity":0.5})"),
            "reward must be a number, got \"1\"");
}

TEST_F(ReadLog, UnknownActionsAndPositionsAreNamed) {
  EXPECT_EQ(csv_refusal("7,0,0.5,1", 5), "unknown action 7: there are 5, from 0 to 4");
  EXPECT_EQ(csv_refusal("-1,0,0.5,1"), "action must be a whole number from 0, got -1");
  EXPECT_EQ(csv_refusal("1.5,0,0.5,1"), "action must be a whole number from 0, got 1.5");
  EXPECT_EQ(csv_refusal("1,0,0.5,0"), "position must be a whole number from 1 to 100, got 0");
  EXPECT_EQ(json_refusal(R"({"action":2,"reward":0,"actions":2,"propensity":1})"),
            "unknown action 2: there are 2, from 0 to 1");
}

TEST_F(ReadLog, ProbabilitiesThatAreNoLawAreNamed) {
  const auto with = [&](const std::string& list, const std::string& more = "") {
    return json_refusal(R"({"action":0,"reward":0,"probabilities":)" + list + more + "}");
  };
  EXPECT_EQ(with("[0.5,0.4]"), "probabilities must sum to 1, got 0.9");
  EXPECT_EQ(with("[1.5,-0.5]"), "propensity must be above 0 and at most 1, got 1.5");
  EXPECT_EQ(with("[0.5,-0.5,1]"), "probabilities must be from 0 to 1, got -0.5");
  EXPECT_EQ(with("[0,1]"), "propensity must be above 0 and at most 1, got 0");
  EXPECT_EQ(with("[0.5,0.5]", R"(,"propensity":0.25)"),
            "propensity is 0.25, but the action's probability is 0.5");
  EXPECT_EQ(with("[0.5,0.5]", R"(,"actions":3)"),
            "probabilities has 2 entries, but there are 3 actions");
  EXPECT_EQ(with("[]"), "probabilities is empty");
  EXPECT_EQ(with("[0.33333334,0.33333334,0.33333334]"), "none");
}

TEST_F(ReadLog, BrokenLinesAreNamed) {
  EXPECT_EQ(csv_refusal("1,0,0.5"), "3 cells, but the header has 4");
  EXPECT_THAT(json_refusal(R"({"action":1,"reward":0,"propensity":0.5}!)"),
              testing::StartsWith("not JSON: "));
  EXPECT_THAT(json_refusal(R"({"action":1,"reward":0,"propens)"),
              testing::StartsWith("not JSON: "));
  EXPECT_EQ(json_refusal("[1,2]"), "not a JSON object: [1,2]");
}

TEST_F(ReadLog, DsjsonThatContradictsItselfIsNamed) {
  const auto with = [&](const std::string& rest) {
    return refusal("x.dsjson",
                   R"({"_label_cost":0,"_label_probability":0.5,"_label_Action":1,)" + rest + "}");
  };
  EXPECT_EQ(with(R"("a":[2,1],"p":[0.5,0.5])"), "a[0] is 2, but _label_Action is 1");
  EXPECT_EQ(with(R"("a":[1,1],"p":[0.5,0.5])"), "a must hold each of 1 to 2 once, got 1");
  EXPECT_EQ(with(R"("a":[1,2],"p":[0.5])"), "a has 2 entries, p has 1");
  EXPECT_EQ(with(R"("a":[1,2],"p":[0.6,0.4])"),
            "propensity is 0.5, but the action's probability is 0.6");
  EXPECT_EQ(with(R"("pdrop":1)"), "pdrop must be from 0 to below 1, got 1");
  EXPECT_EQ(with(R"("_outcomes":[])"), "_outcomes: events with several slots are not read");
}

TEST_F(ReadLog, BadLinesAreCountedAndTheFirstFewNamedWhenTheyAreSkipped) {
  std::string text = "action,reward,propensity\n";
  for (int i = 0; i < 20; ++i) text += i % 2 == 0 ? "1,0,0.5\n" : "1,0,7\n";
  Log skipping = log("x.csv", text);
  skipping.options.skip_bad_lines = true;
  const auto counts = read(skipping);
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts->decisions, 10U);
  EXPECT_EQ(counts->bad, 10U);
  ASSERT_EQ(counts->bad_lines.size(), 5U);
  EXPECT_EQ(counts->bad_lines[1],
            path("x.csv") + ", line 5: propensity must be above 0 and at most 1, got 7");
}

TEST_F(ReadLog, WhatTheTakerRefusesIsABadLine) {
  Log skipping = log("x.csv", "action,reward,propensity\n1,0,0.5\n2,0,0.5\n");
  const auto refuse_twos = [](const Decision& d) -> Result<void> {
    if (d.action == 2) return invalid("no twos");
    return {};
  };
  EXPECT_EQ(read_log(skipping, refuse_twos).error().message, path("x.csv") + ", line 3: no twos");
  skipping.options.skip_bad_lines = true;
  EXPECT_EQ(read_log(skipping, refuse_twos)->bad, 1U);
}

TEST_F(ReadLog, ALogWithoutDecisionsIsRefused) {
  EXPECT_EQ(read(log("x.csv", "action,reward,propensity\n")).error().message,
            path("x.csv") + ": the log holds no decision");
  Log bad = log("x.jsonl", "oops\n");
  bad.options.skip_bad_lines = true;
  EXPECT_THAT(read(bad).error().message,
              testing::StartsWith(path("x.jsonl") + ": the log holds no decision; "));
}

TEST_F(ReadLog, SeveralFilesAreOneLog) {
  test::put(folder_ / "a.jsonl",
            R"({"action":1,"reward":0,"propensity":0.5,"features":{"x":"1"}})");
  test::put(folder_ / "b.jsonl",
            R"({"action":2,"reward":0,"propensity":0.5,"features":{"y":"2"}})");
  Log both{{path("a.jsonl"), path("b.jsonl")}, {}};
  both.options.want_features = true;
  const auto copies = decisions_of(both);
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[1].decision.line, 1U);
  EXPECT_THAT(copies[1].features, ElementsAre("", "2"));
}

TEST_F(ReadLog, FilesWithOtherFeaturesAreRefused) {
  test::put(folder_ / "a.csv", "action,reward,propensity,f_a\n1,0,0.5,x\n");
  test::put(folder_ / "b.csv", "action,reward,propensity,f_b\n1,0,0.5,x\n");
  Log both{{path("a.csv"), path("b.csv")}, {}};
  both.options.columns.features = {"f_*"};
  both.options.want_features = true;
  EXPECT_EQ(read(both).error().message,
            path("b.csv") + ": its features are not those of the files before it");
}

TEST_F(ReadLog, ActionsOfDsjsonCountFromOneAndDoNotMix) {
  EXPECT_EQ((Log{{"a.dsjson"}, {}}).first_action().value(), 1U);
  EXPECT_EQ((Log{{"a.csv", "b.jsonl"}, {}}).first_action().value(), 0U);
  EXPECT_FALSE((Log{{"a.csv", "b.dsjson"}, {}}).first_action().ok());
}

}  // namespace
}  // namespace phe::logs
