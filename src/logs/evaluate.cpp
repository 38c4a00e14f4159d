#include "logs/evaluate.hpp"

#include <cmath>

#include "logs/kept_rows.hpp"
#include "logs/log_sums.hpp"
#include "logs/warnings.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

std::unique_ptr<RewardModel> make_model(const EvaluateOptions& options) {
  switch (options.model.value_or(ModelKind::table)) {
    case ModelKind::none:
      return nullptr;
    case ModelKind::table:
      return make_table_model(options.folds);
    case ModelKind::ridge:
      return make_ridge_model(options.folds, options.ridge);
  }
  return nullptr;
}

std::vector<Column> kept_columns(const EvaluateOptions& options) {
  if (options.resamples > 0) {
    std::vector<Column> all;
    for (std::size_t i = 0; i < column_count; ++i) all.push_back(static_cast<Column>(i));
    return all;
  }
  if (options.betting.value_or(true)) return {ips, clipped};
  return {};
}

// The passes over the log, and what they leave.
class Evaluator {
 public:
  Evaluator(const Log& log, Target& target, const EvaluateOptions& options)
      : log_(log),
        target_(target),
        options_(options),
        model_(make_model(options)),
        kept_(kept_columns(options)) {}

  Result<Evaluation> run() {
    if (model_)
      if (auto done = model_->fit([this](const TakeRow& take) { return read(take); }); !done)
        return done.error();
    auto lines = read([this](const Decision& d, std::uint64_t row) { return add(d, row); });
    if (!lines) return lines.error();
    lines_ = std::move(lines).value();
    return report();
  }

 private:
  // A decision for which the target has no probability counts as a bad line in every pass.
  Result<ReadCounts> read(const TakeRow& take) {
    std::uint64_t row = 0;
    return read_log(log_, [&](const Decision& d) -> Result<void> {
      const auto p = target_.probability(d);
      if (!p) return p.error();
      if (auto done = take(d, row); !done) return done;
      ++row;
      return {};
    });
  }

  Result<void> add(const Decision& d, std::uint64_t row) {
    const auto probabilities = target_.probabilities(d);
    const bool knows_all = probabilities.ok() && !probabilities.value().empty();
    if (row == 0 && !knows_all && !options_.model) model_ = nullptr;
    if (model_ && !knows_all)
      return probabilities.ok()
                 ? invalid(
                       "a reward model needs the target's probabilities of all actions, and "
                       "the column has only that of the logged one: give --model none")
                 : probabilities.error();
    const std::span<const double> pi =
        knows_all ? probabilities.value() : std::span<const double>();
    const double w = target_.probability(d).value() / d.propensity;
    const Modelled modelled = model_ ? model_->predict(d, row, pi) : Modelled{};
    const Row columns = columns_of(w, d.reward, d.multiplicity, modelled, options_.limits);
    sums_.add(d, w, pi, columns, options_.limits);
    keep(columns);
    return {};
  }

  void keep(const Row& columns) {
    if (too_many_to_keep_) return;
    kept_.add(columns);
    if (options_.betting || options_.resamples > 0 ||
        kept_.size() <= EvaluateOptions::most_kept_rows)
      return;
    too_many_to_keep_ = true;
    kept_.clear();
  }

  // What the terms of IPS (or of clipped IPS) can be.
  [[nodiscard]] Bounds term_bounds(double largest_weight) const {
    return {std::min(0.0, largest_weight * options_.rewards.low),
            std::max(0.0, largest_weight * options_.rewards.high)};
  }

  // Bounded terms of one mean: rewards within what was said, and no thinning that varies.
  [[nodiscard]] bool terms_are_bounded() const {
    return sums_.rewards().low >= options_.rewards.low &&
           sums_.rewards().high <= options_.rewards.high && sums_.multiplicities().is_one_value() &&
           largest_weight_ > 0.0;
  }

  void find_largest_weight(double seen) {
    const auto most = target_.largest_probability();
    largest_weight_is_known_ = true;
    if (options_.largest_weight) {
      largest_weight_ = *options_.largest_weight;
    } else if (most && sums_.propensities().is_one_value()) {
      largest_weight_ = *most / sums_.propensities().low;
    } else {
      largest_weight_ = seen;
      largest_weight_is_known_ = false;
    }
  }

  [[nodiscard]] Estimate estimate(const Estimator& estimator, const Moments& moments) const {
    return {estimator.name, estimator.value(moments.mean()), estimator.standard_error(moments)};
  }

  void add_streamed_intervals(const Estimator& estimator, const Moments& moments,
                              Estimate& into) const {
    // The SE of DM leaves out the bias of its model: an interval would mislead.
    if (estimator.correction)
      into.intervals.push_back(
          {"normal", normal_interval(into.value, into.standard_error, options_.confidence)});
    if (!has_bounds(estimator) || moments.count() < 2) return;
    const auto n = static_cast<double>(moments.count());
    into.intervals.push_back(
        {"bernstein",
         bernstein_interval(into.value, into.standard_error * into.standard_error * n,
                            moments.count(), bounds_of(estimator), options_.confidence)});
  }

  [[nodiscard]] bool has_bounds(const Estimator& estimator) const {
    return terms_are_bounded() && estimator.denominator == multiplicity &&
           (estimator.correction == ips || estimator.correction == clipped);
  }
  [[nodiscard]] Bounds bounds_of(const Estimator& estimator) const {
    return term_bounds(estimator.correction == clipped
                           ? std::min(largest_weight_, options_.limits.clip)
                           : largest_weight_);
  }

  [[nodiscard]] Part part(std::size_t slot, const SlotSums& sums) const {
    const Moments& moments = sums.moments;
    Part part;
    part.slot = slot;
    part.diagnostics = diagnostics(sums);
    part.logged = estimate(on_policy, moments);
    for (const Estimator& estimator : estimators(model_ != nullptr)) {
      part.estimates.push_back(estimate(estimator, moments));
      add_streamed_intervals(estimator, moments, part.estimates.back());
    }
    return part;
  }

  [[nodiscard]] Diagnostics diagnostics(const SlotSums& sums) const {
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
    if (sums_.support_is_known()) d.support_violations = sums.support_violations;
    return d;
  }

  // Those that need every row again; of the whole log only.
  void add_kept_intervals(Part& whole) const {
    const auto list = estimators(model_ != nullptr);
    if (options_.betting.value_or(true) && !too_many_to_keep_)
      for (std::size_t e = 0; e < list.size(); ++e)
        if (has_bounds(list[e]))
          whole.estimates[e].intervals.push_back(
              {"betting", betting_interval(terms(*list[e].correction), bounds_of(list[e]),
                                           options_.confidence)});
    if (options_.resamples == 0) return;
    const auto intervals =
        bootstrap_intervals(kept_, list, options_.resamples, options_.seed, options_.confidence);
    for (std::size_t e = 0; e < list.size(); ++e)
      if (list[e].correction) whole.estimates[e].intervals.push_back({"bootstrap", intervals[e]});
  }

  // Without the multiplicity, which is the same for all.
  [[nodiscard]] std::vector<double> terms(Column column) const {
    std::vector<double> values = kept_.column(column);
    for (double& value : values) value /= sums_.multiplicities().low;
    return values;
  }

  Evaluation report() {
    const SlotSums whole = sums_.whole();
    find_largest_weight(whole.largest_weight);
    Evaluation evaluation;
    evaluation.whole = part(0, whole);
    add_kept_intervals(evaluation.whole);
    for (std::size_t slot = 1; slot < sums_.slots().size(); ++slot)
      if (sums_.slots()[slot].moments.count() > 0)
        evaluation.slots.push_back(part(slot, sums_.slots()[slot]));
    evaluation.lines = std::move(lines_);
    evaluation.largest_possible_weight = largest_weight_;
    evaluation.largest_weight_is_known = largest_weight_is_known_;
    evaluation.warnings = warnings({evaluation, options_, sums_, whole.moments, model_ != nullptr,
                                    terms_are_bounded(), too_many_to_keep_});
    return evaluation;
  }

  const Log& log_;
  Target& target_;
  const EvaluateOptions& options_;
  std::unique_ptr<RewardModel> model_;
  LogSums sums_;
  KeptRows kept_;
  bool too_many_to_keep_ = false;
  ReadCounts lines_;
  double largest_weight_ = 0.0;
  bool largest_weight_is_known_ = false;
};

}  // namespace

Result<Evaluation> evaluate(const Log& log, Target& target, const EvaluateOptions& options) {
  return Evaluator(log, target, options).run();
}

}  // namespace phe::logs
