#include "growth_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "record/experiment_json.hpp"
#include "report/gnuplot.hpp"

namespace phe::app {

namespace {

bool over_rounds(const GrowthReport& report) { return report.over == "rounds"; }
const char* symbol(const GrowthReport& report) { return over_rounds(report) ? "n" : "d"; }
// The exponent in the paper's bound, O(d sqrt(n)) up to logarithms.
double claimed(const GrowthReport& report) { return over_rounds(report) ? 0.5 : 1.0; }

std::string subject(const GrowthReport& report) {
  return over_rounds(report) ? report.problem
                             : fmt::format("{}, n = {}", report.problem, report.rounds);
}

// The regrets that a plot shows, with room around them.
std::pair<double, double> regret_range(const GrowthReport& report) {
  double low = report.rows[0].regret[0].mean;
  double high = low;
  for (const GrowthRow& row : report.rows)
    for (const auto& [mean, error] : row.regret) {
      low = std::min(low, std::max(mean - error, 0.5 * mean));
      high = std::max(high, mean + error);
    }
  return {low / 1.2, high * 1.2};
}

// Tics at 1, 2 and 5 where powers of ten alone would be one or two.
std::string regret_tics(double low, double high) {
  if (high >= 100 * low) return "";
  std::vector<std::string> tics;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
    for (const double step : {1.0, 2.0, 5.0}) tics.push_back(fmt::format("{:g}", step * power));
  return fmt::format("set ytics ({})\n", fmt::join(tics, ", "));
}

}  // namespace

std::string growth_text(const GrowthReport& report) {
  std::size_t width = std::string_view("policy").size();
  for (const GrowthRow& row : report.rows) width = std::max(width, row.policy.size());
  std::string text =
      fmt::format("Growth of pseudo-regret in {}: {}, mean over {} instances, seed {}\n\n  {:{}}",
                  symbol(report), subject(report), report.instances, report.seed, "policy", width);
  auto out = std::back_inserter(text);
  for (const double x : report.x)
    fmt::format_to(out, "  {:>8}", fmt::format("{}={}", symbol(report), x));
  text += "         exponent  last step\n";
  for (const GrowthRow& row : report.rows) {
    fmt::format_to(out, "  {:{}}", row.policy, width);
    for (const MeanAndError& regret : row.regret) fmt::format_to(out, "  {:>8.1f}", regret.mean);
    fmt::format_to(out, "  {:>15}  {:>9.3f}\n",
                   fmt::format("{:.3f} ± {:.3f}", row.slope.exponent, row.slope.standard_error),
                   row.local.back());
  }
  fmt::format_to(out,
                 "\nexponent: least squares of log(mean regret) on log {0}, ± its standard error "
                 "over instances. The\npaper's bound O(d√n), up to logarithms, has exponent {1} in "
                 "{0}.\n",
                 symbol(report), claimed(report));
  return text;
}

std::string growth_json(const GrowthReport& report) {
  Json rows = Json::array();
  for (const GrowthRow& row : report.rows) {
    std::vector<double> means;
    std::vector<double> errors;
    for (const auto& [mean, error] : row.regret) {
      means.push_back(mean);
      errors.push_back(error);
    }
    rows.push_back({{"policy", row.policy},
                    {"mean_regret", means},
                    {"std_err", errors},
                    {"exponent", row.slope.exponent},
                    {"exponent_std_err", row.slope.standard_error},
                    {"local_exponents", row.local}});
  }
  return dumped({{"regret", "pseudo-regret"},
                 {"over", report.over},
                 {"x", report.x},
                 {"problem", report.problem},
                 {"rounds", over_rounds(report) ? Json(nullptr) : Json(report.rounds)},
                 {"instances", report.instances},
                 {"seed", report.seed},
                 {"bound_exponent", claimed(report)},
                 {"results", rows}},
                2) +
         '\n';
}

std::string growth_plot(const GrowthReport& report) {
  const char* const axis = over_rounds(report) ? "set format x '10^{%T}'\nset xlabel 'rounds n'\n"
                                               : "set xlabel 'dimension d'\n";
  const auto [low, high] = regret_range(report);
  std::string text = fmt::format(
      "set logscale xy\n{}set grid lt 1 lc rgb '#dddddd'\nset key rmargin top Left reverse\n"
      "set ylabel 'pseudo-regret (mean ± SE)'\nset title {}\nset xrange [{}:{}]\n"
      "set yrange [{:.3g}:{:.3g}]\n",
      axis,
      report::quoted(fmt::format("Growth of regret in {}: {}", symbol(report), subject(report))),
      0.8 * report.x.front(), 1.25 * report.x.back(), low, high);
  text += regret_tics(low, high);
  if (!over_rounds(report)) {
    std::vector<std::string> tics;
    for (const double x : report.x) tics.push_back(fmt::format("{}", x));
    text += fmt::format("set xtics ({})\n", fmt::join(tics, ", "));
  }
  auto out = std::back_inserter(text);
  // The bound's slope, through the first point of the first policy.
  std::string plot = fmt::format(
      "plot {:.6g} * (x / {:.6g}) ** {} with lines lw 1 dt 2 lc rgb '#000000' title 'slope {} of "
      "the bound'",
      report.rows[0].regret[0].mean, report.x[0], claimed(report), claimed(report));
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const GrowthRow& row = report.rows[i];
    fmt::format_to(out, "$d{} << EOD\n", i);
    for (std::size_t k = 0; k < report.x.size(); ++k)
      fmt::format_to(out, "{} {:.6g} {:.6g}\n", report.x[k], row.regret[k].mean,
                     row.regret[k].standard_error);
    text += "EOD\n";
    plot += fmt::format(
        ", \\\n  $d{} with yerrorlines lw 2 pt {} ps 1 lc rgb '{}' title {}", i, row.style.marker,
        row.style.colour,
        report::quoted(fmt::format("{} ({:.2f})", row.style.label, row.slope.exponent)));
  }
  return text + plot;
}

}  // namespace phe::app
