#include "logs/warnings.hpp"

#include <cmath>

#include <fmt/format.h>

namespace phe::logs {

namespace {

constexpr double least_effective_rows = 100.0;
constexpr double deciding_share = 0.25;
constexpr double adaptive_spread = 2.0;

using Warnings = std::vector<std::string>;

void warn_of_weights(const WarningContext& context, Warnings& list) {
  const Diagnostics& d = context.evaluation.whole.diagnostics;
  if (d.largest_weight == 0.0) {
    list.emplace_back("no logged action has a chance under the target: the log says nothing of it");
    return;
  }
  if (d.effective_rows < least_effective_rows)
    list.push_back(
        fmt::format("the effective sample is {:.1f} rows of {}, under {:.0f}: no estimate that "
                    "uses weights can "
                    "be trusted",
                    d.effective_rows, d.rows, least_effective_rows));
  // Of mean 1 wherever the log's policy could choose all that the target chooses.
  if (std::abs(d.mean_weight - 1.0) > 3.0 * d.mean_weight_error + 1e-9)
    list.push_back(fmt::format(
        "the mean weight is {:.4f} ± {:.4f}, and should be 1: the propensities are wrong, or the "
        "target chooses what the log's policy never did",
        d.mean_weight, d.mean_weight_error));
  if (d.support_violations.value_or(0) > 0)
    list.push_back(fmt::format(
        "on {} of {} rows the target may choose an action whose logged probability is 0: what it "
        "would earn there is left out",
        *d.support_violations, d.rows));
}

void warn_of_caps(const WarningContext& context, Warnings& list) {
  if (const std::uint64_t capped = context.passes.sums.capped(); capped > 0)
    list.push_back(fmt::format(
        "on {} rows resampling stopped at its cap: 1/p is larger there than what was logged",
        capped));
}

void warn_of_deciding_rows(const WarningContext& context, Warnings& list) {
  const Heaviest& weight = context.passes.sums.heaviest_weight();
  const Heaviest& term = context.passes.sums.heaviest_term();
  if (weight.share() > deciding_share)
    list.push_back(
        fmt::format("one row decides: {}, line {} has {:.0f}% of all weight (w = {:.6g})",
                    weight.file, weight.line, 100.0 * weight.share(), weight.value));
  if (term.share() > deciding_share)
    list.push_back(fmt::format("one row decides: {}, line {} alone is {:.0f}% of IPS", term.file,
                               term.line, 100.0 * term.share()));
}

const Estimate* find(const Part& part, std::string_view name) {
  for (const Estimate& estimate : part.estimates)
    if (estimate.estimator == name) return &estimate;
  return nullptr;
}

void warn_of_models(const WarningContext& context, Warnings& list) {
  if (!context.passes.has_model) {
    if (!context.options.model)
      list.emplace_back(
          "DM, DR, SNDR, switch and DRos are left out: they need the target's probabilities of all "
          "actions");
    return;
  }
  const Estimate* const dm = find(context.evaluation.whole, "dm");
  const Estimate* const dr = find(context.evaluation.whole, "dr");
  if (dm->standard_error < dr->standard_error)
    list.push_back(fmt::format(
        "the standard error of DM ({:.3g}; DR has {:.3g}) leaves out the bias of its reward model, "
        "so DM has no interval; switch and DRos have some of that bias",
        dm->standard_error, dr->standard_error));
  const double error = dr_correction.standard_error(context.moments);
  if (std::abs(dr->value - dm->value) > 2.0 * error && error > 0.0)
    list.push_back(fmt::format(
        "the reward model is biased on this log: DR is {:+.3g} from DM, {:.1f} standard errors",
        dr->value - dm->value, std::abs(dr->value - dm->value) / error));
}

void warn_of_intervals(const WarningContext& context, Warnings& list) {
  const Extent& rewards = context.passes.sums.rewards();
  const Bounds& allowed = context.options.rewards;
  if (rewards.low < allowed.low || rewards.high > allowed.high)
    list.push_back(fmt::format(
        "rewards go from {} to {}, outside of {} to {}: no Bernstein and betting intervals; give "
        "--rewards",
        rewards.low, rewards.high, allowed.low, allowed.high));
  else if (!context.passes.sums.multiplicities().is_one_value())
    list.emplace_back("pdrop varies: no Bernstein and betting intervals");
  else if (context.terms_are_bounded && !context.evaluation.largest_weight_is_known)
    list.push_back(fmt::format(
        "the largest possible weight is not known: Bernstein and betting take the largest one "
        "seen, {:.6g}, and hold if none can be larger; give --largest-weight",
        context.evaluation.largest_possible_weight));
  if (context.passes.too_many_to_keep)
    list.push_back(fmt::format(
        "no betting intervals: they keep 16 bytes a row, and there are more than {} rows; give "
        "--intervals to have them",
        EvaluateOptions::most_kept_rows));
}

void warn_of_learning(const WarningContext& context, Warnings& list) {
  const double spread = context.passes.sums.propensity_spread();
  if (spread < adaptive_spread) return;
  list.push_back(fmt::format(
      "the propensity of one action in one place varies {:.1f}-fold: the log's policy has contexts "
      "or went on learning. The estimates stay unbiased if every propensity is that of its own "
      "row; if it learnt, rows depend on those before them, and the errors are approximate",
      spread));
}

}  // namespace

Warnings warnings(const WarningContext& context) {
  Warnings list;
  warn_of_weights(context, list);
  warn_of_caps(context, list);
  warn_of_deciding_rows(context, list);
  warn_of_models(context, list);
  warn_of_intervals(context, list);
  warn_of_learning(context, list);
  return list;
}

}  // namespace phe::logs
