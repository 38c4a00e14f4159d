#include "logs/summarise.hpp"

#include <algorithm>

#include "logs/warnings.hpp"

namespace phe::logs {

namespace {

struct LargestWeight {
  double value = 0.0;
  bool is_known = true;
};

LargestWeight largest_weight(const Passes& passes, const EvaluateOptions& options, double seen) {
  if (options.largest_weight) return {*options.largest_weight};
  if (passes.largest_probability && passes.sums.propensities().is_one_value())
    return {*passes.largest_probability / passes.sums.propensities().low};
  return {seen, false};
}

Diagnostics diagnostics(const SlotSums& sums, bool support_is_known) {
  const Moments& moments = sums.moments;
  const auto n = static_cast<double>(moments.count());
  const double mean = moments.mean()[weight];
  const double square = mean * mean + moments.covariance(weight, weight) * (n - 1.0) / n;
  const Estimator mean_weight{"weight", {}, weight, multiplicity};
  Diagnostics d;
  d.rows = moments.count();
  d.mean_weight = mean_weight.value(moments.mean());
  d.mean_weight_error = mean_weight.standard_error(moments);
  d.largest_weight = sums.largest_weight;
  d.effective_rows = square > 0.0 ? n * mean * mean / square : 0.0;
  d.over_clip = sums.over_clip;
  if (support_is_known) d.support_violations = sums.support_violations;
  return d;
}

Estimate estimate(const Estimator& estimator, const Moments& moments) {
  return {estimator.name, estimator.value(moments.mean()), estimator.standard_error(moments)};
}

// Intervals that need to know what a term can be.
class TermBounds {
 public:
  TermBounds(const Passes& passes, const EvaluateOptions& options, double largest_weight)
      : rewards_(options.rewards), clip_(options.limits.clip), largest_weight_(largest_weight) {
    // Rewards within what was said, and a plain mean: no thinning that varies.
    known_ = passes.sums.rewards().low >= rewards_.low &&
             passes.sums.rewards().high <= rewards_.high &&
             passes.sums.multiplicities().is_one_value() && largest_weight > 0.0;
  }

  [[nodiscard]] bool known() const { return known_; }
  // Of IPS and clipped IPS: w r with w from 0 to the largest weight.
  [[nodiscard]] std::optional<Bounds> of(const Estimator& estimator) const {
    if (!known_ || estimator.denominator != multiplicity) return {};
    if (estimator.correction == ips) return up_to(largest_weight_);
    if (estimator.correction == clipped) return up_to(std::min(largest_weight_, clip_));
    return {};
  }

 private:
  [[nodiscard]] Bounds up_to(double w) const {
    return {std::min(0.0, w * rewards_.low), std::max(0.0, w * rewards_.high)};
  }

  Bounds rewards_;
  double clip_;
  double largest_weight_;
  bool known_ = false;
};

// Those that need only means and variances.
void add_streamed_intervals(const Estimator& estimator, const Moments& moments,
                            const TermBounds& bounds, double confidence, Estimate& into) {
  // The SE of DM leaves out the bias of its model: an interval would mislead.
  if (estimator.correction)
    into.intervals.push_back(
        {"normal", normal_interval(into.value, into.standard_error, confidence)});
  const auto terms = bounds.of(estimator);
  if (!terms || moments.count() < 2) return;
  const double variance =
      into.standard_error * into.standard_error * static_cast<double>(moments.count());
  into.intervals.push_back(
      {"bernstein", bernstein_interval(into.value, variance, moments.count(), *terms, confidence)});
}

Part part_of(std::size_t slot, const SlotSums& sums, const Passes& passes, const TermBounds& bounds,
             double confidence) {
  Part part;
  part.slot = slot;
  part.diagnostics = diagnostics(sums, passes.sums.support_is_known());
  part.logged = estimate(on_policy, sums.moments);
  for (const Estimator& estimator : estimators(passes.has_model)) {
    part.estimates.push_back(estimate(estimator, sums.moments));
    add_streamed_intervals(estimator, sums.moments, bounds, confidence, part.estimates.back());
  }
  return part;
}

void add_betting(const Passes& passes, const TermBounds& bounds, double confidence, Part& whole) {
  const auto list = estimators(passes.has_model);
  for (std::size_t e = 0; e < list.size(); ++e) {
    const auto terms = bounds.of(list[e]);
    if (!terms) continue;
    std::vector<double> values = passes.kept.column(*list[e].correction);
    // Without the multiplicity, which is the same for all.
    for (double& value : values) value /= passes.sums.multiplicities().low;
    whole.estimates[e].intervals.push_back(
        {"betting", betting_interval(values, *terms, confidence)});
  }
}

void add_bootstrap(const Passes& passes, const EvaluateOptions& options, Part& whole) {
  const auto list = estimators(passes.has_model);
  const auto intervals =
      bootstrap_intervals(passes.kept, list, options.resamples, options.seed, options.confidence);
  for (std::size_t e = 0; e < list.size(); ++e)
    if (list[e].correction) whole.estimates[e].intervals.push_back({"bootstrap", intervals[e]});
}

}  // namespace

Evaluation summarise(const Passes& passes, const EvaluateOptions& options) {
  const SlotSums whole = passes.sums.whole();
  const LargestWeight largest = largest_weight(passes, options, whole.largest_weight);
  const TermBounds bounds(passes, options, largest.value);
  Evaluation evaluation;
  evaluation.whole = part_of(0, whole, passes, bounds, options.confidence);
  if (options.betting.value_or(true) && !passes.too_many_to_keep)
    add_betting(passes, bounds, options.confidence, evaluation.whole);
  if (options.resamples > 0) add_bootstrap(passes, options, evaluation.whole);
  const auto& slots = passes.sums.slots();
  for (std::size_t slot = 1; slot < slots.size(); ++slot)
    if (slots[slot].moments.count() > 0)
      evaluation.slots.push_back(part_of(slot, slots[slot], passes, bounds, options.confidence));
  evaluation.lines = passes.lines;
  evaluation.largest_possible_weight = largest.value;
  evaluation.largest_weight_is_known = largest.is_known;
  evaluation.warnings = warnings({evaluation, options, passes, whole.moments, bounds.known()});
  return evaluation;
}

}  // namespace phe::logs
