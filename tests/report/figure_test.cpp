#include "report/figure.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "report/gnuplot.hpp"
#include "support/temporary_folder.hpp"

namespace phe {
namespace {

// Two panels of other lengths; policy "b" is in the second alone.
RegretFigure small_figure() {
  RegretFigure figure{.title = "A_title",
                      .policies = {{"a", "#e69f00", 1, 5}, {"b", "#0072b2", 2, 6}},
                      .panels = {}};
  figure.panels.push_back({.heading = "First",
                           .source = "out/first",
                           .instances = 3,
                           .rounds = {10, 20},
                           .lines = {{0, {{1.0, 0.1}, {2.0, 0.2}}}}});
  figure.panels.push_back({.heading = "Second",
                           .source = "out/second",
                           .instances = 5,
                           .rounds = {5, 10, 15},
                           .lines = {{0, {{1.0, 2.0}, {2.0, 0.2}, {3.0, 0.3}}},
                                     {1, {{2.0, 0.1}, {4.0, 0.2}, {6.0, 0.3}}}}});
  return figure;
}

void expect_in(std::string_view part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(GnuplotString, SwitchesOffMarkupQuotesAndCommands) {
  EXPECT_EQ(report::quoted("a_b^c{d}@e&f~g"), R"('a\_b\^c\{d\}\@e\&f\~g')");
  EXPECT_EQ(report::quoted(R"(it's \ "so")"), R"('it''s \\ "so"')");
  EXPECT_EQ(report::quoted("`rm`"), "'`rm`'");
  EXPECT_EQ(report::quoted("two\nlines"), "'two?lines'");
}

TEST(FigureScript, HasABlockPerLineThatBeginsAtTheOrigin) {
  const std::string script = figure_script(small_figure());
  expect_in("$curves << EOD\n0 0 0\n10 1 0.1\n20 2 0.2\n\n\n0 0 0\n5 1 2\n", script);
  expect_in("array lines_to[2] = [1, 3]\n", script);
  expect_in("array policy_of[3] = [1, 1, 2]\n", script);
  expect_in("array heading[2] = ['First', 'Second']\n", script);
  expect_in("Mean over 3 to 5 random instances", script);
}

TEST(FigureScript, OfLogarithmicAxesHasNoOriginAndARangeOfWhatIsShown) {
  RegretFigure figure = small_figure();
  figure.log_rounds = figure.log_regret = true;
  const std::string script = figure_script(figure);
  EXPECT_EQ(script.find("\n0 0 0\n"), std::string::npos);
  expect_in("array lowest[2] = [0.8, 0.8]\n", script);
  expect_in("array highest[2] = [2.5, 7.5]\n", script);
}

TEST(FigureScript, EndsAPanelBelowAPolicyFarAboveTheOthersAndSaysSo) {
  RegretFigure figure = small_figure();
  figure.policies.push_back({"c", "#000000", 3, 7});
  figure.panels[1].lines.push_back({2, {{5.0, 0}, {10.0, 0}, {15.1, 0}}});
  expect_in("array highest[2] = [0, 7.5]\n", figure_script(figure));
  expect_in("'c ends above, at 15'", figure_script(figure));
  figure.panels[1].lines.back().regret.back().mean = 14.9;
  expect_in("array highest[2] = [0, 0]\n", figure_script(figure));
}

TEST(FigureFile, IsWhatItsEndingSays) {
  const test::TemporaryFolder folder;
  for (const bool log : {false, true}) {
    RegretFigure figure = small_figure();
    figure.log_rounds = figure.log_regret = log;
    for (const auto& [name, start] :
         {std::pair{"f.svg", "<?xml"}, {"f.png", "\x89PNG"}, {"f.pdf", "%PDF"}}) {
      const auto drawn = draw_figure_file(figure, folder / name);
      ASSERT_TRUE(drawn.ok()) << drawn.error().message;
      EXPECT_TRUE(test::bytes_of(folder / name).starts_with(start)) << name;
    }
  }
  EXPECT_EQ(test::contents_of(folder.path()).size(), 3U) << "nothing else is left behind";
  const std::string svg = test::bytes_of(folder / "f.svg");
  for (const char* const part : {"A_title", "out/first", "out/second", "First", "Second"})
    expect_in(part, svg);
}

TEST(FigureFile, OfAnotherEndingIsRefused) {
  for (const char* const name : {"f.gif", "f", "svg", ".svg"}) {
    const auto done = check_figure_file(name);
    ASSERT_FALSE(done.ok()) << name;
    expect_in(".svg, .png, .pdf", done.error().message);
    expect_in(name, done.error().message);
  }
}

TEST(FigureLegend, IsWrappedWhereItsLabelsNeedTheRoom) {
  RegretFigure figure = small_figure();
  figure.policies.clear();
  for (int i = 0; i < 9; ++i)
    figure.policies.push_back(
        {"a policy with a rather long name, " + std::to_string(i), "#000000"});
  const test::TemporaryFolder folder;
  ASSERT_TRUE(draw_figure_file(figure, folder / "f.svg").ok());
  const std::string svg = test::bytes_of(folder / "f.svg");
  // Two panels are 1026 wide; the labels have 36 characters, so that 2 fit, in 5 rows: the picture
  // is 3 * 26 higher than with 2 rows.
  expect_in("width=\"1026\" height=\"696\"", svg);
}

}  // namespace
}  // namespace phe
