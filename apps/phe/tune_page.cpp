#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

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
std::string block_of(const TuneReport& report, const TunedFamily& family, std::size_t range,
                     std::size_t stage) {
  std::vector<const Point*> points;
  for (const Point& point : family.points)
    if (point.stage == stage) points.push_back(&point);
  std::ranges::stable_sort(points, {}, [&](const Point* p) { return p->place[range]; });
  std::string text;
  for (const Point* const point : points) {
    const auto [mean, error] = shown(*report.tuned, family, *point);
    fmt::format_to(std::back_inserter(text), "{} {:.6g} {:.6g}\n",
                   family.family.ranges[range].value_at(point->place[range]),
                   report.measured.shown(mean), error);
  }
  return text;
}

// What all points and finalists have, from the lowest to the highest.
std::pair<double, double> extent(const TuneReport& report) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const auto include = [&](const MeanAndError& loss) {
    const double value = report.measured.shown(loss.mean);
    if (!report.measured.reward && !(value > 0.0)) return;  // has no place on a logarithmic axis
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const TunedFamily& family : report.tuned->families)
    for (const Point& point : family.points) include(shown(*report.tuned, family, point));
  for (const MeanAndError& loss : report.tuned->regret) include(loss);
  return {low, high};
}

// The axis of regret is logarithmic, that of reward is not.
std::string vertical_axis(const TuneReport& report) {
  auto [low, high] = extent(report);
  if (report.measured.reward) {
    const double room = std::max(0.1 * (high - low), 1e-9);
    return fmt::format("set ylabel 'mean reward (± SE)'\nset yrange [{:.6g}:{:.6g}]\n", low - room,
                       high + room);
  }
  std::tie(low, high) = high > 0.0 ? std::pair{0.8 * low, 1.25 * high} : std::pair{0.1, 1.0};
  std::vector<std::string> tics;
  for (double power = 1e-6; power < high; power *= 10)
    for (const double step : {1.0, 2.0, 5.0})
      if (step * power > low && step * power < high)
        tics.push_back(fmt::format("'{0:g}' {0:g}", step * power));
  return fmt::format(
      "set logscale y\nset ylabel 'pseudo-regret (mean ± SE)'\nset yrange [{:.3g}:{:.3g}]\n"
      "set ytics add ({})\n",
      low, high, fmt::join(tics, ", "));
}

Table finalists(const TuneReport& report) {
  const Tuned& tuned = *report.tuned;
  Table table{.caption = "On " + unseen_text(report),
              .head = {"Asked for", "Best", report.measured.reward ? "Mean reward" : "Regret",
                       "Does as well"},
              .rows = {}};
  for (const TunedFamily& family : tuned.families)
    table.rows.push_back({{family.family.text},
                          {family.best},
                          {report.measured.with_error(tuned.regret[family.finalist]),
                           family.finalist == tuned.winner},
                          {as_good_text(family)}});
  return table;
}

Table tried(const TunedFamily& family, const Measured& measured) {
  const bool reward = measured.reward;
  Table table{.caption = fmt::format("{}: every point", family.family.text),
              .head = {"Stage", "Policy", reward ? "Halves" : "Instances",
                       reward ? "Mean reward" : "Regret",
                       reward ? "Below the best" : "Above the best", "Left the race"},
              .rows = {}};
  for (const Point& point : family.points)
    table.rows.push_back(
        {{fmt::format("{}", point.stage + 1)},
         {point.spec, point.spec == family.best && point.stage + 1 == tune::stages},
         {fmt::format("{}", point.instances)},
         {measured.with_error(point.regret)},
         {fmt::format("{} ± {}", measured.number(point.above_best.mean),
                      measured.number(point.above_best.standard_error))},
         {point.dropped ? "significantly worse" : ""}});
  return table;
}

}  // namespace

std::string tune_plot(const TuneReport& report) {
  const Tuned& tuned = *report.tuned;
  const auto styles = styles_of(tuned.plan.policies());
  std::string text = fmt::format(
      "set logscale x\nset grid lt 1 lc rgb '#dddddd'\nset key rmargin top Left reverse\n"
      "set xlabel 'parameter'\nset title {}\n{}",
      report::quoted(fmt::format("{} against the parameter: {}",
                                 report.measured.reward ? "Mean reward" : "Regret",
                                 report.subject)),
      vertical_axis(report));
  std::vector<std::string> plots;
  std::size_t block = 0;
  for (const TunedFamily& family : tuned.families) {
    const PolicyStyle& style = styles[family.finalist];
    const std::string colour = report::quoted(style.colour);
    for (std::size_t r = 0; r < family.family.ranges.size(); ++r)
      for (std::size_t stage = 0; stage < tune::stages; ++stage) {
        const std::string data = block_of(report, family, r, stage);
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
    const double value = report.measured.shown(tuned.regret[family.finalist].mean);
    plots.push_back(fmt::format("{:.6g} with lines lw 1.5 dt {} lc rgb {} title {}", value,
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
      html_text(report.subject), embedded::report_css, report.request->rounds, report.request->seed,
      tuned.runs_done, version, html_text(winner_text(report)));
  for (const std::string& line : comparison_lines(report))
    text += fmt::format("<li>{}</li>\n", html_text(line));
  text += "</ul>\n";
  for (const std::string& line : edge_lines(tuned))
    text += fmt::format("<p>{}</p>\n", html_text(line));
  for (const std::string& line : report.warnings)
    text += fmt::format("<p>Warning: {}</p>\n", html_text(line));
  text += to_html(finalists(report));
  text += svg.empty()
              ? "<p class=\"missing\">The figure could not be drawn: gnuplot was not found or "
                "failed.</p>\n"
              : fmt::format(
                    "<figure><img alt=\"{} against the parameter, a line per policy\" "
                    "src=\"data:image/svg+xml;base64,{}\"></figure>\n",
                    report.measured.reward ? "Mean reward" : "Pseudo-regret", base64(svg));
  text += fmt::format(
      "<p>Lines: the first stage; smaller points: the second and third, around the best. Each "
      "point stands {} its policy's {} in the comparison by what it lost beyond the best of its "
      "stage on the {} that both had, ± the standard error of that.</p>\n",
      report.measured.reward ? "below" : "above", report.measured.name(), report.measured.unit());
  for (const TunedFamily& family : tuned.families)
    if (!family.points.empty()) text += to_html(tried(family, report.measured));
  text += fmt::format("<h2>Again</h2>\n<pre>{}\n", html_text(report.command));
  if (!report.measured.reward) text += html_text(simulate_command(tuned.plan.experiment(), ""));
  return text + "</pre>\n</body>\n</html>\n";
}

}  // namespace phe::app
