#include "cli/program.hpp"
#include "report/claims.hpp"

namespace phe {
namespace {

using test::bytes_of;
using test::Outcome;
using test::Program;
using Words = std::vector<std::string>;

class Reproduce : public test::ProgramTest {
 protected:
  static Words words(const Words& more) {
    Words all = {"reproduce"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // A smaller one than --quick, with `more` arguments.
  [[nodiscard]] Words small(std::string_view out, const Words& more = {}) const {
    Words all = words({"--rounds", "200", "--instances", "3", "--out", path(out)});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Everything that depends on the experiments alone, and not on how fast they were.
  void expect_same_results(std::string_view a, std::string_view b) const {
    for (const char* const name :
         {"linear/regret.csv", "linear/runs.csv", "linear/figure.gp", "logistic/regret.csv",
          "logistic/runs.csv", "figure-linear.svg", "figure-linear.png", "figure-logistic.svg"}) {
      const std::string bytes = bytes_of(temporary_ / a / name);
      EXPECT_FALSE(bytes.empty()) << name;
      EXPECT_EQ(bytes, bytes_of(temporary_ / b / name)) << name;
    }
  }
};

TEST_F(Reproduce, QuickWritesFiguresTablesAndAReportWithAVerdictOnEveryClaim) {
  const Outcome outcome = run(words({"--quick", "--out", path("o")}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(" of 780 runs, "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(" left\n"), std::string::npos) << outcome.err;
  const std::string html = bytes_of(temporary_ / "o" / "report.html");
  for (const Claim& claim : paper_claims()) {
    EXPECT_NE(html.find(claim.text), std::string::npos) << claim.text;
    EXPECT_NE(outcome.out.find(claim.text), std::string::npos) << claim.text;
  }
  for (const char* const part :
       {"data:image/svg+xml;base64,", "of the latter outside", "phe reproduce --quick"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* const name : {"figure-linear", "figure-logistic"}) {
    EXPECT_TRUE(bytes_of(temporary_ / "o" / (std::string(name) + ".png")).starts_with("\x89PNG"));
    EXPECT_NE(bytes_of(temporary_ / "o" / (std::string(name) + ".svg")).find("d = 20, K = 100"),
              std::string::npos);
  }
  EXPECT_NE(bytes_of(temporary_ / "o" / "tables.md").find("| ε-greedy | "), std::string::npos);
  EXPECT_NE(bytes_of(temporary_ / "o" / "logistic" / "regret.csv").find("logphe"),
            std::string::npos);
}

TEST_F(Reproduce, KilledAtAnyMomentEndsWithTheSameBytes) {
  ASSERT_EQ(run(small("whole", {"--threads", "1"})).exit_code, 0);
  const auto journal = std::filesystem::file_size(temporary_ / "whole" / "linear" / "runs.log");
  for (const auto& [folder, bytes] :
       {std::pair("linear", journal / 3), {"logistic", journal / 4}}) {
    const Program program(temporary_.path(), small("part", {"--quiet"}));
    EXPECT_TRUE(grows_to(temporary_ / "part" / folder / "runs.log", bytes));
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  }
  const Outcome last = run(small("part"));
  EXPECT_EQ(last.exit_code, 0) << last.err;
  EXPECT_NE(last.err.find("runs are there"), std::string::npos) << last.err;
  expect_same_results("whole", "part");
}

TEST_F(Reproduce, KeepsItsRunsOnCtrlC) {
  const Program program(temporary_.path(), small("o", {"--rounds", "3000", "--quiet"}));
  EXPECT_TRUE(grows_to(temporary_ / "o" / "linear" / "runs.log", 3000));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_NE(
      outcome.err.find(" of 117 runs are kept in " + path("o") + "; the same command goes on"),
      std::string::npos)
      << outcome.err;
}

TEST_F(Reproduce, LeavesAFinishedReportAlone) {
  ASSERT_EQ(run(small("o")).exit_code, 0);
  const auto before = test::bytes_of(temporary_ / "o" / "report.html");
  const Outcome again = run(small("o"));
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(test::bytes_of(temporary_ / "o" / "report.html"), before);
}

TEST_F(Reproduce, DrawsAgainWhatWentMissing) {
  ASSERT_EQ(run(small("o", {"--only", "linear"})).exit_code, 0);
  const std::string figure = bytes_of(temporary_ / "o" / "figure-linear.svg");
  std::filesystem::remove(temporary_ / "o" / "figure-linear.svg");
  ASSERT_EQ(run(small("o", {"--only", "linear"})).exit_code, 0);
  EXPECT_EQ(bytes_of(temporary_ / "o" / "figure-linear.svg"), figure);
}

TEST_F(Reproduce, OnlyDoesOneExperiment) {
  const Outcome outcome = run(small("o", {"--only", "linear"}));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(temporary_ / "o" / "logistic"));
  EXPECT_EQ(outcome.out.find("LogPHE"), std::string::npos);
  EXPECT_NE(outcome.out.find("LinPHE"), std::string::npos);
}

// Three instances of 200 rounds show that LinPHE does not take half of LinTS's time, if nothing
// else.
TEST_F(Reproduce, StrictFailsWhenAClaimDoesNotHold) {
  const Outcome outcome = run(small("o", {"--only", "linear", "--strict", "--instances", "30"}));
  if (outcome.out.find("does not hold") != std::string::npos) {
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("do not hold (--strict)"), std::string::npos) << outcome.err;
  } else {
    EXPECT_EQ(outcome.exit_code, 0);
  }
}

TEST_F(Reproduce, WithoutGnuplotKeepsItsResultsAndSaysWhatToInstall) {
  const std::string before = ::getenv("PATH");
  ::setenv("PATH", path("").c_str(), 1);
  const Outcome outcome = run(small("o", {"--only", "linear"}));
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("gnuplot-nox"), std::string::npos) << outcome.err;
  EXPECT_NE(bytes_of(temporary_ / "o" / "report.html").find("could not be drawn"),
            std::string::npos);
  EXPECT_EQ(run(small("o", {"--only", "linear"})).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(temporary_ / "o" / "figure-linear.png"));
}

TEST_F(Reproduce, RefusesBadInput) {
  EXPECT_EQ(run(words({"--only", "both", "--out", path("o")})).err,
            "phe: --only must be linear or logistic, got 'both'\n");
  EXPECT_EQ(run(small("o", {"--rounds", "0"})).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(temporary_ / "o"));
  ASSERT_EQ(run(small("o", {"--only", "linear"})).exit_code, 0);
  const Outcome other = run(small("o", {"--only", "linear", "--seed", "2"}));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("its seed is 1, this one's 2"), std::string::npos) << other.err;
}

}  // namespace
}  // namespace phe
