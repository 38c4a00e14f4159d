#include "report/estimate_figure.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "report/colours.hpp"
#include "report/figure.hpp"
#include "report/gnuplot.hpp"

namespace phe {

namespace {

struct IntervalStyle {
  const char* name;
  const char* colour;
};
constexpr std::array<IntervalStyle, 4> styles = {{{"normal", colours::blue},
                                                  {"bootstrap", colours::green},
                                                  {"betting", colours::orange},
                                                  {"bernstein", colours::purple}}};

struct Range {
  double low = 0.0;
  double high = 0.0;
};

// Wide enough for what is narrow: all values, normal and bootstrap intervals, and of the others
// twice that.
Range range_of(const EstimateFigure& figure) {
  Range range{figure.logged.value, figure.logged.value};
  const auto see = [&](double x) {
    range.low = std::min(range.low, x);
    range.high = std::max(range.high, x);
  };
  const auto see_all = [&](const FigureEstimate& estimate) {
    see(estimate.value);
    for (const FigureInterval& interval : estimate.intervals) {
      if (interval.name != "normal" && interval.name != "bootstrap") continue;
      see(interval.low);
      see(interval.high);
    }
  };
  see_all(figure.logged);
  for (const FigureEstimate& estimate : figure.estimates) see_all(estimate);
  const double margin = range.high > range.low ? 0.25 * (range.high - range.low) : 1.0;
  return {range.low - margin, range.high + margin};
}

std::string block(const EstimateFigure& figure, std::string_view interval, double shift) {
  std::string text;
  for (std::size_t i = 0; i < figure.estimates.size(); ++i)
    for (const FigureInterval& of : figure.estimates[i].intervals)
      if (of.name == interval)
        fmt::format_to(std::back_inserter(text), "{:.10g} {:.10g} {:.10g} {:.10g}\n",
                       figure.estimates[i].value, static_cast<double>(i + 1) + shift, of.low,
                       of.high);
  return text;
}

}  // namespace

std::string estimate_script(const EstimateFigure& figure) {
  const Range range = range_of(figure);
  const std::size_t rows = figure.estimates.size();
  std::string tics;
  std::string points;
  for (std::size_t i = 0; i < rows; ++i) {
    const FigureEstimate& estimate = figure.estimates[i];
    tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", report::quoted(estimate.name), i + 1);
    points += fmt::format("{:.10g} {}\n", estimate.value, i + 1);
  }
  std::string data = fmt::format("$points << EOD\n{}EOD\n", points);
  std::string plots;
  double shift = -0.18;
  for (const IntervalStyle& style : styles) {
    const std::string lines = block(figure, style.name, shift);
    if (lines.empty()) continue;
    data += fmt::format("${} << EOD\n{}EOD\n", style.name, lines);
    plots += fmt::format(", ${0} using 1:2:3:4 with xerrorbars pt 0 lw 2 lc rgb '{1}' title '{0}'",
                         style.name, style.colour);
    shift += 0.12;
  }
  std::string band;
  for (const FigureInterval& of : figure.logged.intervals)
    band = fmt::format(
        "set object 1 rectangle from first {:.10g}, graph 0 to first {:.10g}, graph 1 behind fc "
        "rgb '#dddddd' fs solid noborder\n",
        of.low, of.high);
  return fmt::format(
      "set encoding utf8\nheight = {0}\n"
      "if (ARG2 eq 'png') {{ set terminal pngcairo size 860, height font 'Sans,12' enhanced }}\n"
      "if (ARG2 eq 'svg') {{ set terminal svg size 860, height dynamic font 'DejaVu Sans, "
      "sans-serif,14' enhanced background '#ffffff' }}\n"
      "if (ARG2 eq 'pdf') {{ set terminal pdfcairo size 9 in, height / 96.0 in font 'Sans,13' "
      "enhanced }}\n"
      "set output ARG1.'.'.ARG2\n"
      "set title {1}.\"\\n{{/*0.8 \".{2}.\"}}\"\n"
      "set border 1 lc rgb '#444444'\nset xtics nomirror out\nset ytics ({3}) nomirror scale 0\n"
      "set yrange [{4}:0.3]\nset xrange [{5:.10g}:{6:.10g}]\n"
      "set grid xtics lc rgb '#eeeeee' lt 1\nset key outside bottom center horizontal\n"
      "set xlabel 'mean reward'\n{7}"
      "set arrow 1 from first {8:.10g}, graph 0 to first {8:.10g}, graph 1 nohead dt 2 lw 1.5 lc "
      "rgb '{9}' back\n{10}"
      "plot NaN with lines dt 2 lw 1.5 lc rgb '{9}' title 'mean of the log, and its interval'{11}, "
      "$points using 1:2 with points pt 7 ps 0.8 lc rgb '{12}' title 'estimate'\n",
      170 + 44 * rows, report::quoted(figure.title), report::quoted(figure.note), tics,
      static_cast<double>(rows) + 0.7, range.low, range.high, band, figure.logged.value,
      colours::grey, data, plots, colours::black);
}

Result<void> draw_estimates(const EstimateFigure& figure, const std::filesystem::path& file) {
  return draw_script_file(estimate_script(figure), file);
}

}  // namespace phe
