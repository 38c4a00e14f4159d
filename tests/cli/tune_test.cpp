#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "phe/rng.hpp"

namespace phe {
namespace {

using test::bytes_of;
using test::Outcome;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class TuneProgram : public test::ProgramTest {
 protected:
  static Words words(const Words& more) {
    Words all = {"tune",     "--problem", "linear:d=3,arms=10", "--policy", "linphe:a=0.05..4",
                 "--policy", "lints",     "--rounds",           "200",      "--budget",
                 "400",      "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void expect_refused(const Words& more, const std::string& told) const {
    const Outcome outcome = run(words(more));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(told));
    EXPECT_FALSE(std::filesystem::exists(temporary_ / "o"));
  }
};

TEST_F(TuneProgram, GivesTheSameForAnyNumberOfThreadsAndWithAFolder) {
  const Outcome one = run(words({"--threads", "1", "--json"}));
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(run(words({"--threads", "3", "--json", "--out", path("o")})).out, one.out);
  EXPECT_THAT(bytes_of(temporary_ / "o" / "tune.html"), HasSubstr("has the lowest regret"));
}

TEST_F(TuneProgram, PrintsTheWinnerAndWhatItBeats) {
  const Outcome outcome = run(words({}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("instances that tuning did not see"));
  EXPECT_THAT(outcome.out, HasSubstr("has the lowest regret:\n"));
  EXPECT_THAT(outcome.out, HasSubstr(" less than "));
}

TEST_F(TuneProgram, GoesOnFromWhereItWasInterrupted) {
  const Words longer = {"--rounds", "2000", "--threads", "1", "--json"};
  const auto into = [&](const char* name) {
    Words all = longer;
    all.insert(all.end(), {"--out", path(name)});
    return words(all);
  };
  const Outcome whole = run(into("whole"));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const test::Program program(temporary_.path(), into("part"));
  program.wait_until([&] {
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("part"), none))
      if (entry.path().filename() == "runs.log" && entry.file_size() > 3000) return true;
    return false;
  });
  program.signal(SIGINT);
  const Outcome interrupted = program.wait();
  EXPECT_EQ(interrupted.exit_code, 130) << interrupted.err;
  EXPECT_THAT(interrupted.err, HasSubstr("the same command goes on"));
  const Outcome rest = run(into("part"));
  EXPECT_EQ(rest.out, whole.out);
}

TEST_F(TuneProgram, LeavesTheComparisonAsAResultsFolder) {
  ASSERT_EQ(run(words({"--out", path("o")})).exit_code, 0);
  std::string final_folder;
  for (const auto& entry : std::filesystem::directory_iterator(path("o")))
    if (entry.path().filename().string().starts_with("final-")) final_folder = entry.path();
  const Outcome compared = run({"compare", final_folder});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("lints"));
}

// Two actions at random; action 1 pays in 3 of 4 rows, action 0 in 1 of 4.
std::string two_actions(std::size_t rows) {
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    SplitMix words{StreamKey{i}};
    const bool second = to_unit(words()) < 0.5;
    const bool pays = to_unit(words()) < (second ? 0.75 : 0.25);
    text += fmt::format("{{\"action\":{},\"reward\":{},\"propensity\":0.5,\"actions\":2}}\n",
                        second ? 1 : 0, pays ? 1 : 0);
  }
  return text;
}

class TuneOnALog : public test::ProgramTest {
 protected:
  Words words(const Words& more) const {
    Words all = {"tune",     "--log",   path("log.jsonl"), "--policy", "linphe:a=0.05..4",
                 "--policy", "uniform", "--rounds",        "500",      "--budget",
                 "300",      "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void SetUp() override { test::put(temporary_ / "log.jsonl", two_actions(600)); }
};

TEST_F(TuneOnALog, TheHighestRewardWins) {
  for (const char* const objective : {"replay", "ips", "snips", "dr"}) {
    const Outcome outcome = run(words({"--objective", objective}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("* linphe:a=")) << objective;
    EXPECT_THAT(outcome.out, HasSubstr("has the highest mean reward:\n")) << objective;
    EXPECT_THAT(outcome.out, HasSubstr(" more than uniform (95 % interval 0.")) << objective;
    EXPECT_THAT(outcome.out, HasSubstr("random halves of the rows that tuning did not see"));
  }
}

TEST_F(TuneOnALog, GivesTheSameForAnyNumberOfThreadsAndGoesOnInItsFolder) {
  const Outcome one = run(words({"--threads", "1", "--json"}));
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("\"mean_reward\""));
  const Words kept = words({"--threads", "3", "--json", "--out", path("o")});
  EXPECT_EQ(run(kept).out, one.out);
  EXPECT_THAT(bytes_of(temporary_ / "o" / "tune.html"), HasSubstr("has the highest mean reward"));
  EXPECT_EQ(run(kept).out, one.out);
  // Another log has folders of its own.
  test::put(temporary_ / "log.jsonl", two_actions(700));
  const Outcome other = run(kept);
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(other.out, one.out);
}

TEST_F(TuneOnALog, RefusesWhatDoesNotGoWithALog) {
  const auto refused = [&](const Words& more, const std::string& told) {
    const Outcome outcome = run(words(more));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(told));
  };
  refused({"--problem", "linear"}, "give --problem or --log, not both");
  refused({"--objective", "dm"}, "--objective must be one of replay, ips");
  refused({"--objective", "dr", "--model", "none"}, "needs a reward model");
  refused({"--draws", "0"}, "--draws must be a whole number from 1");
  refused({"--rewards", "0,0.5"}, "reward must be between 0 and 0.5, got 1");
  test::put(temporary_ / "log.jsonl", two_actions(99));
  refused({}, "the log has 99 rows; tuning needs 100 at least");
  const Outcome alone =
      run({"tune", "--problem", "linear", "--policy", "lints", "--objective", "ips"});
  EXPECT_THAT(alone.err, HasSubstr("--objective is for tuning on a log: add --log FILE"));
}

TEST_F(TuneProgram, RefusesBadInput) {
  const Words out = {"--out", path("o")};
  const auto with = [&](Words more) {
    more.insert(more.end(), out.begin(), out.end());
    return more;
  };
  expect_refused(with({"--budget", "0"}), "--budget must be a number of runs or a time above 0");
  expect_refused(with({"--budget", "0s"}), "got '0s'");
  expect_refused(with({"--budget", "20"}), "too small for 2 policies");
  expect_refused(with({"--policy", "linphe:a=4..1"}), "the range a=4..1 is reversed");
  expect_refused(with({"--policy", "linphe:a=1..1"}), "is empty");
  expect_refused(with({"--policy", "linphe:alpha=0.1..1"}), "has no key 'alpha'");
  expect_refused(with({"--policy", "linphe:a=low..high"}), "is not of two numbers");
  expect_refused(with({"--policy", "lints"}), "policy lints is given twice");
  expect_refused(with({"--problem", "linear:d=4"}), "tune is for one problem, got 2");
  test::put(temporary_ / "file", "");
  const Outcome outcome = run(words({"--out", path("file")}));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be made a folder"));
}

}  // namespace
}  // namespace phe
