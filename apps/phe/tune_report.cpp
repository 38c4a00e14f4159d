#include "tune_report.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "record/experiment_json.hpp"
#include "tune_words.hpp"

namespace phe::app {

namespace {

using tune::Tuned;
using tune::TunedFamily;

std::string regret_text(const MeanAndError& regret) {
  return fmt::format("{:.1f} ± {:.1f}", regret.mean, regret.standard_error);
}

template <class Text>
std::size_t width_of(const Tuned& tuned, std::size_t least, Text text) {
  std::size_t width = least;
  for (const TunedFamily& family : tuned.families) width = std::max(width, text(family).size());
  return width;
}

Json point_json(const tune::Point& point) {
  return {{"stage", point.stage + 1},
          {"policy", point.spec},
          {"instances", point.instances},
          {"mean_regret", point.regret.mean},
          {"std_err", point.regret.standard_error},
          {"above_best", point.above_best.mean},
          {"above_best_std_err", point.above_best.standard_error},
          {"dropped", point.dropped}};
}

Json family_json(const Tuned& tuned, const TunedFamily& family) {
  Json points = Json::array();
  for (const tune::Point& point : family.points) points.push_back(point_json(point));
  Json as_good = Json::object();
  for (std::size_t r = 0; r < family.as_good.size(); ++r)
    as_good[family.family.ranges[r].key] = {family.as_good[r].first, family.as_good[r].second};
  const MeanAndError& regret = tuned.regret[family.finalist];
  return {{"asked", family.family.text},
          {"best", family.best},
          {"mean_regret", regret.mean},
          {"std_err", regret.standard_error},
          {"as_good", as_good},
          {"at_edge", family.at_edge},
          {"points", points}};
}

}  // namespace

std::string tune_text(const TuneReport& report) {
  const Tuned& tuned = *report.tuned;
  const std::uint64_t instances = tuned.plan.experiment().instances;
  const std::size_t asked = width_of(
      tuned, 6, [](const auto& f) -> auto& { return f.family.text; });
  const std::size_t best = width_of(
      tuned, 4, [](const auto& f) -> auto& { return f.best; });
  std::string text = fmt::format(
      "Tuned on {}, {} rounds, seed {}: {} runs\n\nPseudo-regret on {} instances that tuning did "
      "not see, mean ± standard error\n\n  {:{}}  {:{}}  {:>16}  does as well\n",
      report.request->problem, report.request->rounds, report.request->seed, tuned.runs_done,
      instances, "policy", asked, "best", best, "regret");
  for (const TunedFamily& family : tuned.families)
    fmt::format_to(std::back_inserter(text), "{} {:{}}  {:{}}  {:>16}  {}\n",
                   family.finalist == tuned.winner ? '*' : ' ', family.family.text, asked,
                   family.best, best, regret_text(tuned.regret[family.finalist]),
                   as_good_text(family));
  text += '\n' + winner_text(tuned) + '\n';
  for (const std::string& line : comparison_lines(tuned)) text += "  " + line + '\n';
  for (const std::string& line : edge_lines(tuned)) text += line + '\n';
  return text;
}

std::string tune_json(const TuneReport& report) {
  const Tuned& tuned = *report.tuned;
  Json families = Json::array();
  for (const TunedFamily& family : tuned.families) families.push_back(family_json(tuned, family));
  Json differences = Json::array();
  for (const PairedDifference& pair : tuned.differences) {
    const bool first = pair.policy == tuned.winner;
    const double sign = first ? -1.0 : 1.0;  // how much the winner's regret is below the other's
    const double low = sign * (first ? pair.high : pair.low);
    const double high = sign * (first ? pair.low : pair.high);
    differences.push_back({{"than", tuned.plan.policies()[first ? pair.other : pair.policy].text},
                           {"less_by", sign * pair.difference},
                           {"interval", {low, high}},
                           {"p_value", pair.p_value}});
  }
  return dumped({{"problem", report.request->problem},
                 {"rounds", report.request->rounds},
                 {"seed", report.request->seed},
                 {"budget", report.request->budget.text()},
                 {"runs", tuned.runs_done},
                 {"winner", tuned.plan.policies()[tuned.winner].text},
                 {"instances", tuned.plan.experiment().instances},
                 {"first_instance", tuned.plan.experiment().first_instance},
                 {"confidence", tune::confidence},
                 {"differences", differences},
                 {"policies", families}},
                2) +
         '\n';
}

}  // namespace phe::app
