#include "evaluate_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "record/experiment_json.hpp"

namespace phe::app {

namespace {

using logs::Diagnostics;
using logs::Estimate;
using logs::Part;

constexpr std::string_view interval_names[] = {"normal", "bootstrap", "bernstein", "betting"};

std::string number(double value) {
  return std::isnan(value) ? "none" : fmt::format("{:.5g}", value);
}

const logs::NamedInterval* find(const Estimate& estimate, std::string_view name) {
  const auto found = std::ranges::find(estimate.intervals, name, &logs::NamedInterval::name);
  return found == estimate.intervals.end() ? nullptr : &*found;
}

bool has_interval(const Part& part, std::string_view name) {
  return std::ranges::any_of(part.estimates,
                             [&](const Estimate& e) { return find(e, name) != nullptr; });
}

std::string interval_text(const Estimate& estimate, std::string_view name) {
  const auto* const found = find(estimate, name);
  if (found == nullptr) return "";
  return fmt::format("{} to {}", number(found->interval.low), number(found->interval.high));
}

std::string diagnostics_text(const Diagnostics& d, double clip) {
  std::string text = fmt::format(
      "n = {}, weights: mean {:.4f} ± {:.4f}, largest {:.6g}, {} above {:g}; effective sample "
      "{:.1f}",
      d.rows, d.mean_weight, d.mean_weight_error, d.largest_weight, d.over_clip, clip,
      d.effective_rows);
  if (d.support_violations) text += fmt::format("; support violations {}", *d.support_violations);
  return text + '\n';
}

// Without the blanks of empty columns at the end.
std::string ended(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string part_text(const Part& part, const EvaluateReport& report) {
  std::string text = part.slot == 0 ? "" : fmt::format("\nposition {}\n", part.slot);
  text += diagnostics_text(part.diagnostics, report.options.limits.clip);
  std::string head = fmt::format("  {:8}  {:>11}  {:>10}", "", "value", "SE");
  for (const auto name : interval_names)
    if (has_interval(part, name)) head += fmt::format("  {:>24}", name);
  text += ended(std::move(head));
  const auto line_of = [&](const Estimate& estimate) {
    std::string line = fmt::format("  {:8}  {:>11}  {:>10}", estimate.estimator,
                                   number(estimate.value), number(estimate.standard_error));
    for (const auto name : interval_names)
      if (has_interval(part, name)) line += fmt::format("  {:>24}", interval_text(estimate, name));
    return ended(std::move(line));
  };
  text += line_of(part.logged);
  for (const Estimate& estimate : part.estimates) text += line_of(estimate);
  return text;
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json estimate_json(const Estimate& estimate) {
  Json intervals = Json::object();
  for (const auto& [name, interval] : estimate.intervals)
    intervals[std::string(name)] = {finite(interval.low), finite(interval.high)};
  return {{"estimator", estimate.estimator},
          {"value", finite(estimate.value)},
          {"se", finite(estimate.standard_error)},
          {"intervals", intervals}};
}

Json part_json(const Part& part) {
  const Diagnostics& d = part.diagnostics;
  Json estimates = Json::array();
  for (const Estimate& estimate : part.estimates) estimates.push_back(estimate_json(estimate));
  Json json;
  if (part.slot != 0) json["position"] = part.slot;
  json["diagnostics"] = {
      {"n", d.rows},
      {"ess", d.effective_rows},
      {"mean_weight", d.mean_weight},
      {"mean_weight_se", d.mean_weight_error},
      {"max_weight", d.largest_weight},
      {"over_clip", d.over_clip},
      {"support_violations", d.support_violations ? Json(*d.support_violations) : Json(nullptr)}};
  json["on_policy"] = {{"value", part.logged.value}, {"se", part.logged.standard_error}};
  json["estimates"] = estimates;
  return json;
}

FigureEstimate figure_estimate(const Estimate& estimate) {
  FigureEstimate shown{std::string(estimate.estimator), estimate.value, {}};
  for (const auto& [name, interval] : estimate.intervals)
    if (std::isfinite(interval.low) && std::isfinite(interval.high))
      shown.intervals.push_back({std::string(name), interval.low, interval.high});
  return shown;
}

Json options_json(const EvaluateReport& report) {
  const auto& options = report.options;
  return {{"clip", options.limits.clip},
          {"switch", options.limits.switch_at},
          {"shrinkage", options.limits.shrinkage},
          {"confidence", options.confidence},
          {"folds", options.folds.count},
          {"rewards", {options.rewards.low, options.rewards.high}},
          {"largest_possible_weight", report.evaluation.largest_possible_weight},
          {"largest_possible_weight_is_known", report.evaluation.largest_weight_is_known},
          {"resamples", options.resamples},
          {"seed", options.seed}};
}

}  // namespace

std::string evaluate_text(const EvaluateReport& report) {
  const auto& evaluation = report.evaluation;
  std::string text = fmt::format("{} on {}, intervals of {:g}%\n", report.target,
                                 fmt::join(report.files, ", "), 100 * report.options.confidence);
  text += part_text(evaluation.whole, report);
  for (const Part& part : evaluation.slots) text += part_text(part, report);
  if (!evaluation.warnings.empty()) text += '\n';
  for (const std::string& warning : evaluation.warnings) text += "warning: " + warning + '\n';
  return text;
}

std::string evaluate_json(const EvaluateReport& report) {
  const auto& evaluation = report.evaluation;
  Json json = {{"target", report.target}, {"logs", report.files}};
  json.update(part_json(evaluation.whole));
  json["positions"] = Json::array();
  for (const Part& part : evaluation.slots) json["positions"].push_back(part_json(part));
  json["options"] = options_json(report);
  json["lines"] = {{"decisions", evaluation.lines.decisions},
                   {"bad", evaluation.lines.bad},
                   {"dangling", evaluation.lines.dangling},
                   {"deferred", evaluation.lines.deferred},
                   {"bad_lines", evaluation.lines.bad_lines}};
  json["warnings"] = evaluation.warnings;
  return dumped(json, 2) + '\n';
}

EstimateFigure evaluate_figure(const EvaluateReport& report) {
  const Part& whole = report.evaluation.whole;
  EstimateFigure figure{
      .title = report.target,
      .note = fmt::format("{}: {} rows, effective sample {:.0f}, largest weight {:.4g}; {:g}%",
                          fmt::join(report.files, ", "), whole.diagnostics.rows,
                          whole.diagnostics.effective_rows, whole.diagnostics.largest_weight,
                          100.0 * report.options.confidence),
      .logged = figure_estimate(whole.logged),
      .estimates = {}};
  const auto of_mean = logs::normal_interval(whole.logged.value, whole.logged.standard_error,
                                             report.options.confidence);
  figure.logged.intervals = {{"normal", of_mean.low, of_mean.high}};
  for (const Estimate& estimate : whole.estimates)
    if (std::isfinite(estimate.value)) figure.estimates.push_back(figure_estimate(estimate));
  return figure;
}

std::string replay_text(const ReplayReport& report) {
  const logs::Replay& r = report.replay;
  std::string text =
      fmt::format("{} replayed on {}\n{} rows, {} kept, {} accepted, the last {}\n", report.policy,
                  fmt::join(report.files, ", "), r.rows, r.kept, r.accepted, r.last_accepted);
  for (const Estimate* estimate : {&r.logged, &r.estimate})
    text += ended(fmt::format("  {:8}  {:>11}  {:>10}  {:>24}", estimate->estimator,
                              number(estimate->value), number(estimate->standard_error),
                              interval_text(*estimate, "normal")));
  for (const std::string& warning : r.warnings) text += "warning: " + warning + '\n';
  return text;
}

std::string replay_json(const ReplayReport& report) {
  const logs::Replay& r = report.replay;
  const Json json = {{"policy", report.policy},
                     {"logs", report.files},
                     {"diagnostics",
                      {{"n", r.rows},
                       {"kept", r.kept},
                       {"accepted", r.accepted},
                       {"cut", r.cut},
                       {"uniform", r.uniform},
                       {"smallest_propensity", r.smallest_propensity},
                       {"reward_sum", r.reward_sum},
                       {"last_accepted", r.last_accepted}}},
                     {"on_policy", {{"value", r.logged.value}, {"se", r.logged.standard_error}}},
                     {"estimates", Json::array({estimate_json(r.estimate)})},
                     {"warnings", r.warnings}};
  return dumped(json, 2) + '\n';
}

EstimateFigure replay_figure(const ReplayReport& report) {
  return {.title = report.policy,
          .note = fmt::format("{}: {} of {} rows accepted", fmt::join(report.files, ", "),
                              report.replay.accepted, report.replay.rows),
          .logged = figure_estimate(report.replay.logged),
          .estimates = {figure_estimate(report.replay.estimate)}};
}

}  // namespace phe::app
