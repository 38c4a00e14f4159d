#include "logs/evaluate.hpp"

#include "logs/summarise.hpp"
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

class Evaluator {
 public:
  Evaluator(const ReadDecisions& decisions, Target& target, const EvaluateOptions& options)
      : decisions_(decisions),
        target_(target),
        options_(options),
        model_(make_model(options)),
        passes_{.sums = {},
                .kept = KeptRows(kept_columns(options)),
                .largest_probability = target.largest_probability()} {}

  Result<Evaluation> run() {
    if (model_)
      if (auto done = model_->fit([this](const TakeRow& take) { return read(take); }); !done)
        return done.error();
    auto lines = read([this](const Decision& d, std::uint64_t row) { return add(d, row); });
    if (!lines) return lines.error();
    passes_.lines = std::move(lines).value();
    passes_.has_model = model_ != nullptr;
    return summarise(passes_, options_);
  }

 private:
  // A decision for which the target has no probability counts as a bad line in every pass.
  Result<ReadCounts> read(const TakeRow& take) {
    std::uint64_t row = 0;
    return decisions_([&](const Decision& d) -> Result<void> {
      const auto p = target_.probability(d);
      if (!p) return p.error();
      if (auto done = take(d, row); !done) return done;
      ++row;
      return {};
    });
  }

  // P(each action) under the target; empty where only that of the logged one is known, and then the
  // model goes too, unless it was asked for.
  Result<std::span<const double>> probabilities(const Decision& d, std::uint64_t row) {
    auto all = target_.probabilities(d);
    if (all && !all.value().empty()) return all;
    if (row == 0 && !options_.model) model_ = nullptr;
    if (!model_) return std::span<const double>();
    if (!all) return all;
    return invalid(
        "a reward model needs the target's probabilities of all actions, and the column has only "
        "that of the logged one: give --model none");
  }

  Result<void> add(const Decision& d, std::uint64_t row) {
    const auto pi = probabilities(d, row);
    if (!pi) return pi.error();
    const double w = target_.probability(d).value() / d.propensity;
    const Modelled modelled = model_ ? model_->predict(d, row, pi.value()) : Modelled{};
    const Row columns = columns_of(w, d.reward, d.multiplicity, modelled, options_.limits);
    passes_.sums.add(d, w, pi.value(), columns, options_.limits, model_ != nullptr);
    keep(columns);
    return {};
  }

  // Without being asked to, rows are kept only as long as they are few.
  void keep(const Row& columns) {
    if (passes_.too_many_to_keep) return;
    passes_.kept.add(columns);
    const bool asked = options_.betting || options_.resamples > 0;
    if (asked || passes_.kept.size() <= EvaluateOptions::most_kept_rows) return;
    passes_.too_many_to_keep = true;
    passes_.kept.clear();
  }

  const ReadDecisions& decisions_;
  Target& target_;
  const EvaluateOptions& options_;
  std::unique_ptr<RewardModel> model_;
  Passes passes_;
};

}  // namespace

Result<Evaluation> evaluate(const ReadDecisions& read, Target& target,
                            const EvaluateOptions& options) {
  return Evaluator(read, target, options).run();
}

Result<Evaluation> evaluate(const Log& log, Target& target, const EvaluateOptions& options) {
  return evaluate(decisions_of(log), target, options);
}

}  // namespace phe::logs
