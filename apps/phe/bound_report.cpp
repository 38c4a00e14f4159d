#include "bound_report.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "record/experiment_json.hpp"
#include "report/colours.hpp"
#include "report/gnuplot.hpp"
#include "report/policy_style.hpp"

namespace phe::app {

namespace {

using theory::Constants;
using theory::Reading;

// A line of Table 1: how it is called, how it follows, and where it is.
struct Line {
  const char* symbol;
  const char* key;
  const char* formula;
  double (*value)(const Constants&);
  bool needs_scale = true;  // has no value without an a
};

constexpr Line lines[] = {
    {"L", "L", "max ‖x_i‖", [](const Constants& c) { return c.L; }, false},
    {"L∗", "L_star", "‖θ∗‖, xᵀθ∗ = μ + a/2 (unshifted: μ)",
     [](const Constants& c) { return c.L_star; }},
    {"λ", "lambda", "λ_min(G_{d+1})/4 = λ_min(Σ_{ℓ≤d} XXᵀ)/3, or smaller",
     [](const Constants& c) { return c.lambda; }, false},
    {"a", "a", "⌈16 c₁²⌉", [](const Constants& c) { return c.a; }},
    {"c₁", "c1", "½√(d log(n + n²L²/(dλ))) + √λ L∗", [](const Constants& c) { return c.c1; }},
    {"c₂", "c2", "√(a log(√(2K) n))", [](const Constants& c) { return c.c2; }},
    {"c₃", "c3", "2d log(1 + nL²/(dλ))", [](const Constants& c) { return c.c3; }, false},
    {"p₁", "p1", "1/n", [](const Constants& c) { return c.p1; }, false},
    {"p₂", "p2", "1/n²", [](const Constants& c) { return c.p2; }, false},
    {"p₃", "p3", "(½ − 128 c₁²/n³)/(16 log n)", [](const Constants& c) { return c.p3; }},
    {"n >", "least_rounds", "max{34, 8√2 c₁}",
     [](const Constants& c) { return theory::least_rounds(c); }},
    {"R(n) ≤", "bound", "(c₁+c₂)(1 + 2/(p₃−p₂))√(c₃n) + (p₁+p₂)n + d",
     [](const Constants& c) { return theory::regret_bound(c); }},
};

std::string number(double value) {
  if (std::isinf(value)) return "∞";
  if (value == std::floor(value) && std::abs(value) < 1e9) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

// Nothing when the line has no value in this column.
std::optional<double> value_in(const BoundColumn& column, const Line& line) {
  if (line.needs_scale && !column.exists) return std::nullopt;
  return line.value(column.constants);
}

std::string no_scale_text(const BoundReport& report, const BoundColumn& column) {
  if (report.largest_ridge == 0)
    return "no s has xᵀs = 1 for every arm, so θ∗ cannot be shifted by a/2";
  return fmt::format(
      "no a has a = ⌈16 c₁²⌉ at λ = {:.3g}: θ∗ is shifted by a/2, so 16 c₁² stays above a. The "
      "largest λ with a solution is {:.3g}",
      column.constants.lambda, report.largest_ridge);
}

// What to know about a column, a sentence each.
std::vector<std::string> remarks(const BoundReport& report, const BoundColumn& column) {
  if (!column.exists) return {no_scale_text(report, column)};
  std::vector<std::string> said = theory::objections(column.constants);
  if (theory::regret_bound(column.constants) >= report.rounds)
    said.push_back(column.informative_from ? fmt::format("the bound is below n from n = {:.2g}",
                                                         *column.informative_from)
                                           : "at no n up to 1e30 is the bound below n");
  if (said.empty()) said.emplace_back("the bound applies, and is below n");
  return said;
}

Json column_json(const BoundReport& report, const BoundColumn& column) {
  Json json = {{"reading", theory::name_of(column.reading)}, {"exists", column.exists}};
  for (const Line& line : lines) {
    const auto value = value_in(column, line);
    json[line.key] = value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
  }
  json["condition_holds"] = column.exists && report.rounds > theory::least_rounds(column.constants);
  json["vacuous"] = !column.exists || !(theory::regret_bound(column.constants) < report.rounds);
  json["informative_from"] =
      column.informative_from ? Json(*column.informative_from) : Json(nullptr);
  json["remarks"] = remarks(report, column);
  return json;
}

// n from 100 to well past the place where a bound meets n.
std::vector<double> plotted_rounds(const BoundReport& report) {
  double last = 1e4;
  for (const BoundColumn& column : report.columns)
    if (column.informative_from) last = std::max(last, 30 * *column.informative_from);
  std::vector<double> rounds;
  const auto steps = static_cast<int>(8 * std::log10(last / 100));
  for (int i = 0; i <= steps; ++i) rounds.push_back(100 * std::pow(10, i / 8.0));
  return rounds;
}

}  // namespace

BoundReport bound_report(Bandit bandit, double rounds, theory::Setting setting) {
  BoundReport report{std::move(bandit), rounds, std::move(setting), 0, {}};
  const theory::Geometry& geometry = report.setting.geometry;
  if (!geometry.shift.empty())
    report.largest_ridge = theory::largest_ridge(
        rounds, geometry, theory::ParameterNorm::shifted(report.setting.theta, geometry.shift));
  for (const Reading reading : theory::all_readings) {
    BoundColumn column{.reading = reading};
    if (const auto table = theory::table_1(reading, rounds, report.setting)) {
      column.exists = true;
      column.constants = *table;
      column.informative_from = theory::first_informative_round(reading, report.setting);
    } else {
      column.constants =
          theory::constants_at(rounds, geometry, {}, geometry.table_ridge(), /*a=*/0);
    }
    report.columns.push_back(column);
  }
  return report;
}

std::string bound_text(const BoundReport& report) {
  std::string text = fmt::format("Table 1 and Theorem 1 at n = {}, K = {}, d = {}\n{}\n\n  {:8}",
                                 number(report.rounds), report.setting.geometry.arms,
                                 report.setting.geometry.dimension, report.bandit.name(), "");
  auto out = std::back_inserter(text);
  for (const BoundColumn& column : report.columns)
    fmt::format_to(out, "  {:>10}", theory::name_of(column.reading));
  text += "  formula\n";
  for (const Line& line : lines) {
    fmt::format_to(out, "  {:8}", line.symbol);
    for (const BoundColumn& column : report.columns) {
      const auto value = value_in(column, line);
      fmt::format_to(out, "  {:>10}", value ? number(*value) : "none");
    }
    fmt::format_to(out, "  {}\n", line.formula);
  }
  for (const BoundColumn& column : report.columns) {
    fmt::format_to(out, "\n{}\n", theory::name_of(column.reading));
    for (const std::string& remark : remarks(report, column)) fmt::format_to(out, "  {}\n", remark);
  }
  return text +
         "\nas written: θ∗ shifted by a/2 and λ of Table 1. unshifted: xᵀθ∗ = μ, which is proved "
         "for\ncentred pseudo-rewards. smaller λ: shifted, λ chosen to make the bound smallest, "
         "which the\nproof allows.\n";
}

std::string bound_json(const BoundReport& report) {
  Json readings = Json::array();
  for (const BoundColumn& column : report.columns) readings.push_back(column_json(report, column));
  Json formulas;
  for (const Line& line : lines) formulas[line.key] = line.formula;
  const double largest = report.largest_ridge;
  return dumped({{"problem", report.bandit.problem},
                 {"instance", report.bandit.number},
                 {"seed", report.bandit.seed},
                 {"n", report.rounds},
                 {"K", report.setting.geometry.arms},
                 {"d", report.setting.geometry.dimension},
                 {"largest_lambda_with_a_shifted", largest > 0 ? Json(largest) : Json(nullptr)},
                 {"formulas", formulas},
                 {"readings", readings}},
                2) +
         '\n';
}

std::string bound_plot(const BoundReport& report, const Plan& plan,
                       const std::vector<Curve>& curves) {
  std::string text = fmt::format(
      "set logscale xy\nset format x '10^{{%T}}'\nset format y '10^{{%T}}'\nset grid lt 1 lc rgb "
      "'#dddddd'\n"
      "set key right bottom Left reverse\nset xlabel 'rounds n'\nset ylabel 'regret R(n)'\n"
      "set title {}\n",
      report::quoted(fmt::format("Theorem 1 and measured pseudo-regret: {}, K = {}, d = {}",
                                 report.bandit.problem, report.setting.geometry.arms,
                                 report.setting.geometry.dimension)));
  auto out = std::back_inserter(text);
  std::string plot = "plot x with lines lw 1 dt 2 lc rgb '#000000' title 'n, the most it can be'";
  std::size_t block = 0;
  const auto add = [&](const std::string& title, const std::string& style,
                       const std::string& colour) {
    plot += fmt::format(", \\\n  $d{} with {} lc rgb '{}' title {}", block, style, colour,
                        report::quoted(title));
    ++block;
  };
  for (const BoundColumn& column : report.columns) {
    std::string rows;
    for (const double n : plotted_rounds(report))
      if (const auto c = theory::table_1(column.reading, n, report.setting);
          c && std::isfinite(theory::regret_bound(*c)))
        rows += fmt::format("{:.6g} {:.6g}\n", n, theory::regret_bound(*c));
    if (rows.empty()) continue;
    fmt::format_to(out, "$d{} << EOD\n{}EOD\n", block, rows);
    add(fmt::format("bound, {}", theory::name_of(column.reading)),
        fmt::format("lines lw 2 dt {}", 4 + block), colours::black);
  }
  const auto styles = styles_of(plan.policies());
  for (const Curve& curve : curves) {
    fmt::format_to(out, "$d{} << EOD\n", block);
    for (std::size_t i = 0; i < curve.regret.size(); ++i)
      fmt::format_to(out, "{} {:.6g}\n", plan.checkpoints()[i], curve.regret[i].mean);
    text += "EOD\n";
    const PolicyStyle& style = styles[curve.policy];
    add(style.label + ", measured", "lines lw 3", style.colour);
  }
  return text + plot;
}

}  // namespace phe::app
