#include "report/report.hpp"

#include <gtest/gtest.h>

#include "report/figure.hpp"
#include "support/temporary_folder.hpp"

namespace phe {
namespace {

// A few rounds of two policies on two problems.
class ReportTest : public testing::Test {
 protected:
  ReportTest() {
    for (const RunId& id : plan_.runs()) runs_.emplace(id, plan_.run(id).value());
    report_.experiments.push_back(
        {"Linear <bandit>", &plan_, curves_of(plan_, runs_), Figure{"<svg>wide", "<svg>narrow"}});
    report_.machine = {"a cpu & more", "scalar", 3};
    report_.command = "phe reproduce --quick";
    report_.verdicts.push_back({{.number = "9",
                                 .text = "ours < theirs",
                                 .experiment = "linear",
                                 .dimension = 3,
                                 .comparisons = {{"linphe:a=2", better, "linphe:a=1"}}},
                                Verdict::does_not_hold,
                                {{Verdict::does_not_hold, 1.234, 5.67, 0.12, 47.25}}});
  }

  [[nodiscard]] const Experiment& experiment() const { return plan_.experiment(); }
  static void expect_in(std::string_view part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }

  Registry registry_ = Registry::built_in();
  Plan plan_ = Plan::create({.problems = {"linear:d=3,arms=5", "linear:d=4,arms=9"},
                             .policies = {"linphe:a=2", "linphe:a=1"},
                             .rounds = 200,
                             .instances = 4},
                            registry_)
                   .value();
  Runs runs_;
  Report report_;
};

TEST_F(ReportTest, MarksTheLowestRegretOfEachProblem) {
  const Table table = regret_table(report_.experiments[0]);
  EXPECT_EQ(table.head, (std::vector<std::string>{"Policy", "d = 3", "d = 4"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0].text, "LinPHE a = 2");
  for (const std::size_t column : {1U, 2U}) {
    EXPECT_NE(table.rows[0][column].best, table.rows[1][column].best);
    expect_in(" ± ", table.rows[0][column].text);
  }
}

TEST_F(ReportTest, ShowsTheNumbersBesideAVerdict) {
  const Table table = verdict_table(report_.verdicts);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][3].text, "does not hold");
  EXPECT_EQ(table.rows[0][3].look, "does-not-hold");
  EXPECT_EQ(table.rows[0][4].text, "✗ LinPHE a = 2 ÷ LinPHE a = 1 = 1.23 (5.7 ± 0.1, t = 47.2)");
}

TEST_F(ReportTest, IsOnePageThatNeedsNothingElse) {
  const std::string html = report_html(report_);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  expect_in(base64("<svg>wide"), html);
  expect_in(base64("<svg>narrow"), html);
  expect_in("@media print", html);
  expect_in("width=device-width", html);
  for (const char* const outside : {"http://", "https://", "<script", "<link", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
}

TEST_F(ReportTest, SaysWhatWasRunWithEverythingEscaped) {
  const std::string html = report_html(report_);
  for (const char* const part :
       {"Linear &lt;bandit&gt;", "a cpu &amp; more", "phe reproduce --quick", "ours &lt; theirs",
        "0 hold, 1 do not hold, 0 undecided", "linear:d=4,arms=9", "level 0.01", "not measured"})
    expect_in(part, html);
}

TEST_F(ReportTest, SaysWhatItCostWhenThatWasMeasured) {
  report_.costs = Costs{12.34, 20.0, 1.0};
  expect_in("12.3 s of wall time, 20.0 s of processor time; 5.0 % of the latter outside",
            report_html(report_));
}

TEST_F(ReportTest, SaysSoWhenAFigureIsMissing) {
  report_.experiments[0].figure.reset();
  expect_in("gnuplot was not found", report_html(report_));
}

TEST_F(ReportTest, HasTheSameTablesInMarkdown) {
  const std::string text = report_markdown(report_);
  expect_in("| Policy | d = 3 | d = 4 |", text);
  expect_in("| does not hold |", text);
}

TEST_F(ReportTest, MeasuresWhatARoundCostsBesideThePolicy) {
  const auto overhead = round_overhead_seconds(plan_);
  ASSERT_TRUE(overhead.ok());
  EXPECT_GT(overhead.value(), 0.0);
}

TEST_F(ReportTest, DrawsItsFigureThreeTimes) {
  const test::TemporaryFolder folder;
  test::put(folder / "f.gp", figure_script(regret_figure(plan_, report_.experiments[0].curves)));
  const auto drawn = draw_figure(folder / "f.gp", folder / "it's");
  ASSERT_TRUE(drawn.ok()) << drawn.error().message;
  const auto files = test::contents_of(folder.path());
  EXPECT_EQ(files.size(), 4U);
  EXPECT_TRUE(files.at("it's.png").starts_with("\x89PNG"));
  for (const char* const name : {"it's.svg", "it's-narrow.svg"})
    for (const char* const part : {"Linear bandit, d = 4, K = 9", "Cumulative pseudo-regret",
                                   "Round", "LinPHE a = 2", "Mean over 4 random instances"})
      expect_in(part, files.at(name));
}

TEST_F(ReportTest, CutsAPanelThatOnePolicyWouldFill) {
  std::vector<Curve> curves;
  for (const double end : {100.0, 130.0, 2000.0})
    curves.push_back({.problem = 0, .policy = curves.size(), .regret = {{end, 1.0}}});
  const Plan plan = Plan::create({.problems = {"linear:d=3,arms=5"},
                                  .policies = {"linphe:a=2", "linphe:a=1", "lints"},
                                  .rounds = 1},
                                 registry_)
                        .value();
  expect_in("array highest[1] = [162.5]", figure_script(regret_figure(plan, curves)));
  expect_in("'LinTS ends above, at 2000'", figure_script(regret_figure(plan, curves)));
  curves[2].regret = {{300.0, 1.0}};
  expect_in("array highest[1] = [0]", figure_script(regret_figure(plan, curves)));
}

TEST_F(ReportTest, TellsWhatGnuplotSaidWhenItFails) {
  const test::TemporaryFolder folder;
  test::put(folder / "f.gp", "no such command\n");
  const auto drawn = draw_figure(folder / "f.gp", folder / "f");
  ASSERT_FALSE(drawn.ok());
  expect_in("gnuplot failed", drawn.error().message);
  expect_in("line 1", drawn.error().message);
}

}  // namespace
}  // namespace phe
