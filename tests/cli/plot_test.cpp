#include "cli/program.hpp"

namespace phe::test {
namespace {

class PlotAndCompare : public ProgramTest {
 protected:
  // A small finished experiment in folder `name`.
  void simulate(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"simulate",     "--problem",  "linear:d=3,arms=10",
                                          "--policy",     "linphe:a=1", "--policy",
                                          "linphe:a=0.5", "--rounds",   "300",
                                          "--instances",  "4",          "--quiet",
                                          "--out",        path(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ASSERT_EQ(run(arguments).exit_code, 0);
  }
  void expect_refused(const std::vector<std::string>& arguments, std::string_view part) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "one line: " << outcome.err;
  }
  static std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(PlotAndCompare, DrawsIntoTheFolderAndSaysWhere) {
  simulate("demo");
  const Outcome outcome = run({"plot", path("demo")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, path("demo/regret.svg") + "\n");
  const std::string svg = bytes_of(path("demo/regret.svg"));
  for (const char* const part : {"Linear bandit, d = 3, K = 10", "LinPHE a = 1", "LinPHE a = 0.5"})
    EXPECT_EQ(count(svg, part) > 0, true) << part;
}

TEST_F(PlotAndCompare, ShowsFoldersSideBySideWithTheChosenPoliciesOnce) {
  simulate("one");
  simulate("two", {"--problem", "linear:d=4,arms=8", "--policy", "lints"});
  const Outcome outcome =
      run({"plot", path("one"), path("two"), "--policy", "linphe:a=1.0", "--policy", "lints",
           "--title", "Mine `and` {yours}", "--log", "xy", "--out", path("new/fig.svg")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string svg = bytes_of(path("new/fig.svg"));
  EXPECT_EQ(count(svg, "LinPHE a = 1<"), 1U);
  EXPECT_EQ(count(svg, "LinTS<"), 1U);
  EXPECT_EQ(count(svg, "LinPHE a = 0.5"), 0U);
  EXPECT_EQ(count(svg, "Mine `and` {yours}"), 1U);
  EXPECT_EQ(count(svg, path("one")), 1U);
  EXPECT_EQ(count(svg, path("two")), 2U);  // it has two problems
}

TEST_F(PlotAndCompare, RefuseWhatTheyCannotShow) {
  simulate("demo");
  expect_refused({"plot"}, "plot needs a results folder");
  expect_refused({"plot", path("none")}, "there is no such folder");
  std::filesystem::create_directories(path("empty"));
  expect_refused({"plot", path("empty")}, "has no runs.log");
  expect_refused({"plot", path("demo"), "--out", path("fig.gif")}, ".svg, .png, .pdf");
  expect_refused({"plot", path("demo"), "--log", "z"}, "--log must be x, y or xy, got 'z'");
  expect_refused({"plot", path("demo"), "--policy", "lints"},
                 "policy lints is not among the results (policies: linphe:a=1, linphe:a=0.5)");
  expect_refused({"plot", path("demo"), "--policy", "lintz"}, "did you mean 'lints'?");
  expect_refused({"compare"}, "compare needs a results folder");
  expect_refused({"compare", path("demo"), "--confidence", "95"}, "from 0.5 to 0.9999, got '95'");
  expect_refused({"compare", path("demo"), "--policy", "linphe:a=1"}, "two policies");
  expect_refused({"compare", path("demo"), "--against", "lints"}, "not among the results");
  simulate("single", {"--instances", "1"});
  expect_refused({"compare", path("single")}, "at least 2");
}

TEST_F(PlotAndCompare, RefuseAFolderThatIsNotFinished) {
  simulate("demo");
  const std::string journal = bytes_of(path("demo/runs.log"));
  put(path("demo/runs.log"), journal.substr(0, journal.size() - 5));
  for (const char* const command : {"plot", "compare"})
    expect_refused({command, path("demo")}, "has 7 of 8 runs; finish it first");
}

TEST_F(PlotAndCompare, PrintsATableAndTheSameAsJson) {
  simulate("demo", {"--policy", "lints"});
  const Outcome text = run({"compare", path("demo")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(count(text.out, "\n  linphe:a=1 "), 2U);
  EXPECT_EQ(count(text.out, "\n  linphe:a=0.5 "), 1U);
  EXPECT_EQ(count(text.out, "1 − 0.05/3 (Bonferroni)"), 1U);
  const Outcome json = run({"compare", path("demo"), "--json", "--against", "lints"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(count(json.out, "\"other\": \"lints\""), 2U);
  EXPECT_EQ(count(json.out, "\"comparisons\": 2"), 1U);
}

TEST_F(PlotAndCompare, AreNamedAtTheEndOfASimulationThatKeepsItsResults) {
  const std::vector<std::string> arguments = {
      "simulate", "--problem", "linear:d=3,arms=10", "--policy", "linphe", "--policy",  "lints",
      "--rounds", "50",        "--instances",        "2",        "--out",  path("it's")};
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 0);
  std::string folder = path("it's");
  folder.replace(folder.find('\''), 1, "'\\''");
  EXPECT_TRUE(outcome.err.ends_with("\nphe plot '" + folder +
                                    "' draws these curves; phe compare '" + folder +
                                    "' tests the differences\n"))
      << outcome.err;
}

}  // namespace
}  // namespace phe::test
