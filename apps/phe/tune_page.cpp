#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "command_line.hpp"
#include "report/embedded.hpp"
#include "report/gnuplot.hpp"
#include "report/policy_style.hpp"
#include "report/table.hpp"
#include "tune_report.hpp"
#include "tune_words.hpp"
#include <phe/version.hpp>

namespace phe::app {

namespace {

using tune::Point;
using tune::Tuned;
using tune::TunedFamily;

// A point on the scale of the final comparison: what its policy had there, and what the point lost
// beyond the best of its stage, on the same instances. Means of different instances would not fit
// together.
MeanAndError shown(const Tuned& tuned, const TunedFamily& family, const Point& point) {
  return {tuned.regret[family.finalist].mean + point.above_best.mean,
          point.above_best.standard_error};
}

// The points of one family in one stage, "value mean error" in the order of the values.
std::string block_of(const Tuned& tuned, const TunedFamily& family, std::size_t range,
                     std::size_t stage) {
  std::vector<const Point*> points;
  for (const Point& point : family.points)
    if (point.stage == stage) points.push_back(&point);
  std::ranges::stable_sort(points, {}, [&](const Point* p) { return p->place[range]; });
  std::string text;
  for (const Point* const point : points) {
    const auto [mean, error] = shown(tuned, family, *point);
    fmt::format_to(std::back_inserter(text), "{} {:.6g} {:.6g}\n",
                   family.family.ranges[range].value_at(point->place[range]), mean, error);
  }
  return text;
}

// What all points and finalists need, with room around them.
std::pair<double, double> regret_range(const Tuned& tuned) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  const auto include = [&](const MeanAndError& regret) {
    if (!(regret.mean > 0.0)) return;
    low = std::min(low, regret.mean);
    high = std::max(high, regret.mean);
  };
  for (const TunedFamily& family : tuned.families)
    for (const Point& point : family.points) include(shown(tuned, family, point));
  for (const MeanAndError& regret : tuned.regret) include(regret);
  return high > 0.0 ? std::pair{0.8 * low, 1.25 * high} : std::pair{0.1, 1.0};
}

Table finalists(const Tuned& tuned) {
  Table table{.caption = fmt::format("On {} instances that tuning did not see",
                                     tuned.plan.experiment().instances),
              .head = {"Asked for", "Best", "Regret", "Does as well"},
              .rows = {}};
  for (const TunedFamily& family : tuned.families) {
    const auto& [mean, error] = tuned.regret[family.finalist];
    table.rows.push_back(
        {{family.family.text},
         {family.best},
         {fmt::format("{:.1f} ± {:.1f}", mean, error), family.finalist == tuned.winner},
         {as_good_text(family)}});
  }
  return table;
}

Table tried(const TunedFamily& family) {
  Table table{.caption = fmt::format("{}: every point", family.family.text),
              .head = {"Stage", "Policy", "Instances", "Regret", "Above the best", "Left the race"},
              .rows = {}};
  for (const Point& point : family.points)
    table.rows.push_back(
        {{fmt::format("{}", point.stage + 1)},
         {point.spec, point.spec == family.best && point.stage + 1 == tune::stages},
         {fmt::format("{}", point.instances)},
         {fmt::format("{:.1f} ± {:.1f}", point.regret.mean, point.regret.standard_error)},
         {fmt::format("{:.1f} ± {:.1f}", point.above_best.mean, point.above_best.standard_error)},
         {point.dropped ? "significantly worse" : ""}});
  return table;
}

}  // namespace

std::string tune_plot(const Tuned& tuned) {
  const auto styles = styles_of(tuned.plan.policies());
  const auto [low, high] = regret_range(tuned);
  std::string text = fmt::format(
      "set logscale xy\nset grid lt 1 lc rgb '#dddddd'\nset key rmargin top Left reverse\n"
      "set xlabel 'parameter'\nset ylabel 'pseudo-regret (mean ± SE)'\nset title {}\n"
      "set yrange [{:.3g}:{:.3g}]\n",
      report::quoted(
          fmt::format("Regret against the parameter: {}", tuned.plan.problems()[0].text)),
      low, high);
  text += "set ytics add (";
  std::vector<std::string> tics;
  for (double power = 1e-6; power < high; power *= 10)
    for (const double step : {1.0, 2.0, 5.0})
      if (step * power > low && step * power < high)
        tics.push_back(fmt::format("'{0:g}' {0:g}", step * power));
  text += fmt::format("{})\n", fmt::join(tics, ", "));
  std::vector<std::string> plots;
  std::size_t block = 0;
  for (const TunedFamily& family : tuned.families) {
    const PolicyStyle& style = styles[family.finalist];
    const std::string colour = report::quoted(style.colour);
    for (std::size_t r = 0; r < family.family.ranges.size(); ++r)
      for (std::size_t stage = 0; stage < tune::stages; ++stage) {
        const std::string data = block_of(tuned, family, r, stage);
        if (data.empty()) continue;
        text += fmt::format("$d{} << EOD\n{}EOD\n", block, data);
        const bool line = stage == 0 && family.family.ranges.size() == 1;
        plots.push_back(
            fmt::format("$d{} with {} lw 1.5 dt {} pt {} ps {} lc rgb {} {}", block++,
                        line ? "yerrorlines" : "yerrorbars", style.dash, style.marker,
                        stage == 0 ? 1.0 : 0.6, colour,
                        stage == 0 ? "title " + report::quoted(policy_label(family.family.name) +
                                                               " " + family.family.ranges[r].key)
                                   : std::string("notitle")));
      }
    if (!family.family.ranges.empty()) continue;
    const MeanAndError& regret = tuned.regret[family.finalist];
    plots.push_back(fmt::format("{:.6g} with lines lw 1.5 dt {} lc rgb {} title {}", regret.mean,
                                style.dash, colour, report::quoted(policy_label(family.best))));
  }
  return text + fmt::format("plot {}", fmt::join(plots, ", \\\n  "));
}

std::string tune_page(const TuneReport& report, const std::string& svg) {
  const Tuned& tuned = *report.tuned;
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Tuned on {0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>Tuned on {0}</h1>\n"
      "<p>{2} rounds, seed {3}, {4} runs by phe {5}.</p>\n<p class=\"summary\">{6}</p>\n<ul>\n",
      html_text(report.request->problem), embedded::report_css, report.request->rounds,
      report.request->seed, tuned.runs_done, version, html_text(winner_text(tuned)));
  for (const std::string& line : comparison_lines(tuned))
    text += fmt::format("<li>{}</li>\n", html_text(line));
  text += "</ul>\n";
  for (const std::string& line : edge_lines(tuned))
    text += fmt::format("<p>{}</p>\n", html_text(line));
  text += to_html(finalists(tuned));
  text += svg.empty()
              ? "<p class=\"missing\">The figure could not be drawn: gnuplot was not found or "
                "failed.</p>\n"
              : fmt::format(
                    "<figure><img alt=\"Pseudo-regret against the parameter, a line per "
                    "policy\" src=\"data:image/svg+xml;base64,{}\"></figure>\n",
                    base64(svg));
  text +=
      "<p>Lines: the first stage; smaller points: the second and third, around the best. Each "
      "point "
      "stands above its policy's regret in the comparison by what it lost beyond the best of its "
      "stage on the instances that both had, ± the standard error of that.</p>\n";
  for (const TunedFamily& family : tuned.families)
    if (!family.points.empty()) text += to_html(tried(family));
  return text + fmt::format("<h2>Again</h2>\n<pre>{}\n{}</pre>\n</body>\n</html>\n",
                            html_text(report.command),
                            html_text(simulate_command(tuned.plan.experiment(), "")));
}

}  // namespace phe::app
