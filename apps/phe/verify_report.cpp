#include "verify_report.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "record/experiment_json.hpp"
#include "report/colours.hpp"
#include "report/gnuplot.hpp"

namespace phe::app {

namespace {

using theory::Check;
using theory::Comparison;

const char* verdict(const Check& check) {
  if (!check.applies()) return "-";
  if (!check.holds) return "NO";
  return check.shown ? "yes" : "open";
}

const char* sense_text(theory::Sense sense) {
  switch (sense) {
    case theory::Sense::at_most:
      return "at most";
    case theory::Sense::at_least:
      return "at least";
    case theory::Sense::equal:
      return "equal";
  }
  return "";
}

// An equality is a matter of more digits.
std::string digits(const Check& check, double value) {
  const bool equality = check.comparisons[check.closest].sense == theory::Sense::equal;
  return equality ? fmt::format("{:.6g}", value) : fmt::format("{:.4g}", value);
}

std::string interval_text(const Check& check) {
  if (check.interval.low == check.interval.high) return "exact";
  return fmt::format("[{}, {}]", digits(check, check.interval.low),
                     digits(check, check.interval.high));
}

std::size_t comparison_count(const theory::VerifyReport& report) {
  std::size_t count = 0;
  for (const Check& check : report.checks) count += check.comparisons.size();
  return count;
}

std::string heading(const Bandit& bandit, const theory::VerifyOptions& options,
                    const theory::VerifyReport& report) {
  return fmt::format(
      "What the proofs claim, on states of a running LinPHE\n{}, K = {}, d = {}, n = {}\na = {}, λ "
      "= {:.4g}{}, {} runs, {} draws in each of {} states (t = {})\n\n",
      bandit.name(), report.constants.arms, report.constants.dimension, options.rounds, options.a,
      options.ridge, options.centred ? ", centred pseudo-rewards" : "", options.runs, options.draws,
      report.states.size(), fmt::join(report.states, ", "));
}

Json comparison_json(const Comparison& comparison, const theory::Interval& interval) {
  return {{"bound", comparison.bound},
          {"sense", sense_text(comparison.sense)},
          {"measured", comparison.measured.value},
          {"low", interval.low},
          {"high", interval.high},
          {"where", comparison.where}};
}

}  // namespace

std::string verify_text(const Bandit& bandit, const theory::VerifyOptions& options,
                        const theory::VerifyReport& report) {
  std::string text = heading(bandit, options, report);
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{:8}  {:55}  {:>9}  {:>9}  {:23}  {:5}  {}\n", "", "claim", "bound",
                 "measured", "interval", "holds", "closest at");
  for (const Check& check : report.checks) {
    if (!check.applies()) {
      fmt::format_to(out, "{:8}  {:55}  {:>9}  {:>9}  {:23}  {:5}  {}\n", check.lemma, check.claim,
                     "-", "-", "", "-", check.note);
      continue;
    }
    const Comparison& closest = check.comparisons[check.closest];
    fmt::format_to(out, "{:8}  {:55}  {:>9}  {:>9}  {:23}  {:5}  {}\n", check.lemma, check.claim,
                   digits(check, closest.bound), digits(check, closest.measured.value),
                   interval_text(check), verdict(check), closest.where);
  }
  const auto failures = std::ranges::count(report.checks, false, &Check::holds);
  fmt::format_to(
      out,
      "\n{}. D = xᵀ(θ~ − θ-bar), ‖x‖ in G⁻¹. Of {} comparisons each line shows the one closest to\n"
      "failing; intervals (Clopper–Pearson for probabilities) hold jointly with confidence {}. "
      "open: not\nrefuted, but the interval reaches over the bound; more draws or runs would "
      "tell.\n",
      failures == 0 ? "No claim is refuted" : fmt::format("{} claims are REFUTED", failures),
      comparison_count(report), options.confidence);
  return text;
}

std::string verify_json(const Bandit& bandit, const theory::VerifyOptions& options,
                        const theory::VerifyReport& report) {
  Json checks = Json::array();
  for (const Check& check : report.checks) {
    Json json = {{"lemma", check.lemma},
                 {"claim", check.claim},
                 {"applies", check.applies()},
                 {"holds", check.applies() ? Json(check.holds) : Json(nullptr)},
                 {"shown", check.applies() ? Json(check.shown) : Json(nullptr)},
                 {"comparisons", check.comparisons.size()}};
    if (check.applies())
      json["closest"] = comparison_json(check.comparisons[check.closest], check.interval);
    else
      json["note"] = check.note;
    checks.push_back(std::move(json));
  }
  return dumped({{"problem", bandit.problem},
                 {"instance", bandit.number},
                 {"seed", bandit.seed},
                 {"n", options.rounds},
                 {"K", report.constants.arms},
                 {"d", report.constants.dimension},
                 {"a", options.a},
                 {"lambda", options.ridge},
                 {"centred", options.centred},
                 {"c1", report.constants.c1},
                 {"c2", report.constants.c2},
                 {"c3", report.constants.c3},
                 {"p3", report.p3},
                 {"runs", options.runs},
                 {"draws", options.draws},
                 {"confidence", options.confidence},
                 {"states", report.states},
                 {"all_hold", theory::all_hold(report.checks)},
                 {"checks", checks}},
                2) +
         '\n';
}

std::string verify_plot(const Bandit& bandit, const theory::VerifyOptions& options,
                        const theory::VerifyReport& report) {
  std::string text = fmt::format(
      "set logscale y\nset format y '10^{{%T}}'\nset grid lt 1 lc rgb '#dddddd'\nset yrange "
      "[3e-6:1]\n"
      "set xrange [-0.02:2.1]\nset key right top Left reverse\n"
      "set xlabel 'c / √a'\nset ylabel 'P(D > c ‖x‖)'\nset title {}\n",
      report::quoted(fmt::format("Lemmas 6 and 7, best arm: {}, a = {}, n = {}", bandit.problem,
                                 options.a, options.rounds)));
  auto out = std::back_inserter(text);
  // c, upper, lower; then c, measured, interval per state.
  text += "$bounds << EOD\n";
  for (const auto& point : report.tails)
    if (point.round == report.states.front())
      fmt::format_to(out, "{} {:.6g} {}\n", point.c, point.upper,
                     point.lower > 0 ? fmt::format("{:.6g}", point.lower) : "NaN");
  text += "EOD\n";
  std::string plot = fmt::format(
      "plot $bounds using 1:2 with lines lw 2 lc rgb '{}' title 'Lemma 6: at most', \\\n  $bounds "
      "using 1:3 with lines lw 2 dt 4 lc rgb '{}' title 'Lemma 7: at least'",
      colours::vermillion, colours::blue);
  static constexpr const char* of_states[] = {colours::green, colours::purple, colours::orange,
                                              colours::sky};
  for (std::size_t i = 0; i < report.states.size(); ++i) {
    fmt::format_to(out, "$t{} << EOD\n", i);
    for (const auto& point : report.tails) {
      if (point.round != report.states[i] || point.measured.successes == 0) continue;
      const auto interval = point.measured.interval(0.99);
      fmt::format_to(out, "{} {:.6g} {:.6g} {:.6g}\n", point.c, point.measured.value, interval.low,
                     interval.high);
    }
    text += "EOD\n";
    plot += fmt::format(
        ", \\\n  $t{} using ($1 + {}):2:3:4 with yerrorbars pt {} ps 0.9 lc rgb '{}' title "
        "'measured, t = "
        "{}'",
        i, 0.015 * static_cast<double>(i), 4 + 2 * i, of_states[i % std::size(of_states)],
        report.states[i]);
  }
  return text + plot;
}

}  // namespace phe::app
