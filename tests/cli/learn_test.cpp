// From a simulated log to a state to an estimate, by the program.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace phe {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

class LearnCommand : public test::ProgramTest {
 protected:
  test::Outcome expect_done(const Words& arguments) const {
    auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }
  test::Outcome make_log(const std::string& policy, const Words& more = {}) const {
    Words words = {"simulate", "--problem", "linear:d=3,arms=4,contexts",
                   "--policy", policy,      "--rounds",
                   "300",      "--log",     path("log.jsonl")};
    words.insert(words.end(), more.begin(), more.end());
    return expect_done(words);
  }
};

TEST_F(LearnCommand, ALogIsWrittenLearntAndEvaluatedOn) {
  EXPECT_THAT(make_log("linphe:a=1", {"--decide", "floor=0.3"}).out,
              HasSubstr("1 runs of 300 rounds; mean reward"));
  const std::string bytes = test::bytes_of(path("log.jsonl"));
  make_log("linphe:a=1", {"--decide", "floor=0.3"});
  EXPECT_EQ(test::bytes_of(path("log.jsonl")), bytes) << "same seed, same bytes";
  EXPECT_THAT(expect_done({"learn", path("log.jsonl"), "--policy", "linphe:a=1", "--out",
                           path("warm.state")})
                  .out,
              HasSubstr("learnt 300 rows of 4 actions and 3 features"));
  const auto json = nlohmann::json::parse(
      expect_done({"evaluate", path("log.jsonl"), "--state", path("warm.state"), "--json"}).out);
  EXPECT_EQ(json["diagnostics"]["n"], 300);
  EXPECT_NEAR(json["diagnostics"]["mean_weight"].get<double>(), 1.0, 0.5);
  const auto replayed = nlohmann::json::parse(
      expect_done({"evaluate", path("log.jsonl"), "--policy", "linphe:a=1", "--json"}).out);
  EXPECT_GT(replayed["diagnostics"]["accepted"], 10);
  EXPECT_EQ(replayed["estimates"][0]["estimator"], "replay");
  // It goes on from there, on the bandit that wrote the log.
  expect_done({"simulate", "--problem", "linear:d=3,arms=4,contexts", "--instances", "1",
               "--policy", "linphe:a=1,state=" + path("warm.state")});
  const auto other = run({"simulate", "--problem", "linear:d=3,arms=4,contexts", "--instances", "1",
                          "--policy", "linphe:a=2,state=" + path("warm.state")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("it has a = 1, this policy 2"));
}

TEST_F(LearnCommand, RowsCanWeighOneOverTheirPropensityAndWhoCannotTakeThatSaysWhy) {
  make_log("linphe:a=1", {"--decide", "floor=0.3"});
  const auto learn = [&](const std::string& policy) {
    return run({"learn", path("log.jsonl"), "--policy", policy, "--out", path("w.state"),
                "--weights", "inverse", "--clip", "5"});
  };
  for (const std::string policy : {"linphe", "linphe:a=1", "lints", "linfpl", "linens", "linucb",
                                   "lineps", "greedy", "linphe:a=1,memory=50"}) {
    const auto outcome = learn(policy);
    EXPECT_EQ(outcome.exit_code, 0) << policy << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(" rows cut")) << policy;
    expect_done({"evaluate", path("log.jsonl"), "--state", path("w.state")});
  }
  for (const std::string policy : {"logphe", "lingiro"})
    EXPECT_THAT(learn(policy).err, HasSubstr("counts whole observations")) << policy;
}

TEST_F(LearnCommand, AFigureIsDrawn) {
  make_log("uniform");
  expect_done(
      {"evaluate", path("log.jsonl"), "--target", "always=2", "--figure", path("estimates.svg")});
  EXPECT_THAT(test::bytes_of(path("estimates.svg")), HasSubstr("always=2"));
  const auto refused = run(
      {"evaluate", path("log.jsonl"), "--target", "uniform", "--figure", path("estimates.txt")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--figure: a figure must end in"));
}

TEST_F(LearnCommand, WhatIsAskedWronglyIsRefused) {
  make_log("uniform");
  const auto refusal = [&](const Words& words) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    return outcome.err;
  };
  const std::string log = path("log.jsonl");
  EXPECT_THAT(refusal({"learn", log, "--policy", "greedy"}), HasSubstr("--out"));
  EXPECT_THAT(refusal({"learn", log, "--out", path("s")}), HasSubstr("no policy given"));
  EXPECT_THAT(refusal({"learn", log, "--policy", "greedy", "--out", path("s"), "--weights", "x"}),
              HasSubstr("--weights must be plain or inverse"));
  EXPECT_THAT(refusal({"learn", log, "--policy", "greedy", "--out", path("s"), "--clip", "2"}),
              HasSubstr("--clip is for --weights inverse"));
  EXPECT_THAT(refusal({"learn", log, "--policy", "greedy:disjoint", "--out", path("s")}),
              HasSubstr("disjoint needs one context"));
  EXPECT_THAT(refusal({"evaluate", log, "--policy", "greedy", "--target", "uniform"}),
              HasSubstr("give one of --target, --state and --policy"));
  EXPECT_THAT(refusal({"evaluate", log, "--state", path("none.state")}),
              HasSubstr("none.state.json"));
  EXPECT_THAT(
      refusal({"simulate", "--problem", "linear", "--policy", "linphe", "--decide", "draws=2"}),
      HasSubstr("--decide is for --log"));
  EXPECT_THAT(refusal({"simulate", "--problem", "linear", "--policy", "linphe", "--policy", "lints",
                       "--log", path("two.jsonl")}),
              HasSubstr("one policy on one problem"));
  EXPECT_THAT(
      refusal({"simulate", "--problem", "linear", "--policy", "linphe", "--log", path("log.txt")}),
      HasSubstr("--log must be a file that ends in .jsonl or .dsjson"));
}

}  // namespace
}  // namespace phe
