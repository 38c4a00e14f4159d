#include "cli/program.hpp"

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
