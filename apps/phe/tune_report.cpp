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

template <class Text>
std::size_t width_of(const Tuned& tuned, std::size_t least, Text text) {
  std::size_t width = least;
  for (const TunedFamily& family : tuned.families) width = std::max(width, text(family).size());
  return width;
}

// The names of what is measured: regret and what is above it, reward and what is below.
struct Names {
  const char* mean;
  const char* worse;
  const char* worse_error;
  const char* better;
};
Names names_of(const Measured& measured) {
  if (measured.reward) return {"mean_reward", "below_best", "below_best_std_err", "more_by"};
  return {"mean_regret", "above_best", "above_best_std_err", "less_by"};
}

Json point_json(const tune::Point& point, const Measured& measured) {
  const Names names = names_of(measured);
  return {{"stage", point.stage + 1},
          {"policy", point.spec},
          {measured.unit(), point.instances},
          {names.mean, measured.shown(point.regret.mean)},
          {"std_err", point.regret.standard_error},
          {names.worse, point.above_best.mean},
          {names.worse_error, point.above_best.standard_error},
          {"dropped", point.dropped}};
}

Json family_json(const Tuned& tuned, const TunedFamily& family, const Measured& measured) {
  Json points = Json::array();
  for (const tune::Point& point : family.points) points.push_back(point_json(point, measured));
  Json as_good = Json::object();
  for (std::size_t r = 0; r < family.as_good.size(); ++r)
    as_good[family.family.ranges[r].key] = {family.as_good[r].first, family.as_good[r].second};
  const MeanAndError& regret = tuned.regret[family.finalist];
  return {{"asked", family.family.text},
          {"best", family.best},
          {names_of(measured).mean, measured.shown(regret.mean)},
          {"std_err", regret.standard_error},
          {"as_good", as_good},
          {"at_edge", family.at_edge},
          {"points", points}};
}

}  // namespace

std::string tune_text(const TuneReport& report) {
  const Tuned& tuned = *report.tuned;
  const Measured& measured = report.measured;
  const std::size_t asked = width_of(
      tuned, 6, [](const auto& f) -> auto& { return f.family.text; });
  const std::size_t best = width_of(
      tuned, 4, [](const auto& f) -> auto& { return f.best; });
  std::string text = fmt::format(
      "Tuned on {}, {} rounds, seed {}: {} runs\n\n{} on {}, mean ± standard error\n\n"
      "  {:{}}  {:{}}  {:>16}  does as well\n",
      report.subject, report.request->rounds, report.request->seed, tuned.runs_done,
      measured.reward ? "Mean reward" : "Pseudo-regret", unseen_text(report), "policy", asked,
      "best", best, measured.name());
  for (const TunedFamily& family : tuned.families)
    fmt::format_to(std::back_inserter(text), "{} {:{}}  {:{}}  {:>16}  {}\n",
                   family.finalist == tuned.winner ? '*' : ' ', family.family.text, asked,
                   family.best, best, measured.with_error(tuned.regret[family.finalist]),
                   as_good_text(family));
  text += '\n' + winner_text(report) + '\n';
  for (const std::string& line : comparison_lines(report)) text += "  " + line + '\n';
  for (const std::string& line : edge_lines(tuned)) text += line + '\n';
  for (const std::string& line : report.warnings) text += "warning: " + line + '\n';
  return text;
}

std::string tune_json(const TuneReport& report) {
  const Tuned& tuned = *report.tuned;
  const Measured& measured = report.measured;
  Json families = Json::array();
  for (const TunedFamily& family : tuned.families)
    families.push_back(family_json(tuned, family, measured));
  Json differences = Json::array();
  for (const Advantage& advantage : advantages(tuned))
    differences.push_back({{"than", advantage.than},
                           {names_of(measured).better, advantage.by},
                           {"interval", {advantage.low, advantage.high}},
                           {"p_value", advantage.p_value}});
  Json json = {{measured.reward ? "log" : "problem", report.subject},
               {"rounds", report.request->rounds},
               {"seed", report.request->seed},
               {"budget", report.request->budget.text()},
               {"runs", tuned.runs_done},
               {"winner", tuned.plan.policies()[tuned.winner].text},
               {measured.unit(), tuned.plan.experiment().instances}};
  if (measured.reward)
    json["warnings"] = report.warnings;
  else
    json["first_instance"] = tuned.plan.experiment().first_instance;
  json["confidence"] = tune::final_confidence;
  json["differences"] = differences;
  json["policies"] = families;
  return dumped(json, 2) + '\n';
}

}  // namespace phe::app
