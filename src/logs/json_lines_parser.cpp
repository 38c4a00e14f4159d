// The project's own format, one JSON object a line: docs/log-format.md.
#include <algorithm>
#include <cmath>

#include "logs/fields.hpp"
#include "logs/json_values.hpp"
#include "logs/line_parser.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

enum Field : std::size_t {
  action,
  reward,
  propensity,
  actions,
  position,
  probabilities,
  features,
  context,
  action_features,
  inverse_propensity,
  capped,
  target
};

std::vector<std::string> keys(const LogOptions& options) {
  const ColumnNames& columns = options.columns;
  std::vector<std::string> keys = {columns.action,
                                   columns.reward,
                                   columns.propensity,
                                   columns.actions.value_or("actions"),
                                   columns.position.value_or("position"),
                                   columns.probabilities.value_or("probabilities"),
                                   "features",
                                   "context",
                                   "action_features",
                                   "inverse_propensity",
                                   "capped"};
  if (!options.target_column.empty()) keys.push_back(options.target_column);
  return keys;
}

class JsonLinesParser final : public LineParser {
 public:
  explicit JsonLinesParser(const LogOptions& options) : options_(options), fields_(keys(options)) {}

  Result<LineKind> parse(std::string_view line, Decision& decision) override {
    if (line.empty()) return LineKind::blank;
    auto done = fields_.parse(line);
    if (done) done = read_choice(decision);
    if (done) done = read_laws(decision);
    if (done && options_.want_numbers) done = read_offer(decision);
    if (!done) return done.error();
    if (options_.want_features) read_features(decision);
    return LineKind::decision;
  }

  [[nodiscard]] const std::vector<std::string>& feature_names() const override {
    return features_.names();
  }

 private:
  Result<void> read_choice(Decision& d) {
    d.actions = options_.actions;
    auto done = fields_.read_number(actions, [&](double x) { return set_actions(x, d); });
    if (!done) return done;
    const auto id = fields_.number(action);
    if (!id) return id.error();
    if (done = set_action(id.value(), 0, d); !done) return done;
    const auto paid = fields_.number(reward);
    if (!paid) return paid.error();
    if (done = set_reward(paid.value(), d); !done) return done;
    return fields_.read_number(position, [&](double x) { return set_slot(x, d); });
  }

  // The propensity may be left out where it can be found.
  Result<void> read_laws(Decision& d) {
    if (auto done = fields_.read_numbers(probabilities, probabilities_); !done) return done;
    auto done =
        fields_.has(propensity)
            ? fields_.read_number(propensity, [&](double x) { return set_propensity(x, d); })
            : find_propensity(d);
    if (done) done = set_probabilities(probabilities_, d);
    if (!done || options_.target_column.empty()) return done;
    if (done = fields_.read_numbers(target, target_); !done) return done;
    if (target_.empty()) return invalid("{} is missing", options_.target_column);
    return set_target(target_, d);
  }

  // The inverse of what resampling found, or one of the probabilities.
  Result<void> find_propensity(Decision& d) {
    if (fields_.has(inverse_propensity)) {
      d.capped = fields_.is_true(capped);
      return fields_.read_number(inverse_propensity, [&](double x) -> Result<void> {
        if (x >= 1.0) return set_propensity(1.0 / x, d);
        return invalid("inverse_propensity must be at least 1, got {}", x);
      });
    }
    if (d.action < probabilities_.size()) return set_propensity(probabilities_[d.action], d);
    return invalid("{} is missing", options_.columns.propensity);
  }

  // One context, or a row of features for each action.
  Result<void> read_offer(Decision& d) {
    if (auto done = fields_.read_numbers(context, context_); !done) return done;
    const auto rows = fields_.read_rows(action_features, rows_);
    if (!rows) return rows.error();
    for (const auto* values : {&context_, &rows_})
      for (const double x : *values)
        if (!std::isfinite(x)) return invalid("a feature must be a finite number, got {}", x);
    d.context = context_;
    d.action_features = rows_;
    return rows.value() == 0 ? Result<void>() : fit_actions(rows.value(), "action_features", d);
  }

  void read_features(Decision& d) {
    features_.clear();
    if (const auto object = fields_.object(features))
      for (const auto field : *object)
        if (wanted(field.key)) features_.add(std::string(field.key), field.value);
    d.features = features_.values();
  }

  [[nodiscard]] bool wanted(std::string_view name) const {
    const auto& list = options_.columns.features;
    return list.empty() ||
           std::ranges::any_of(list, [&](const auto& pattern) { return matches(pattern, name); });
  }

  LogOptions options_;
  JsonFields fields_;
  std::vector<double> probabilities_;
  std::vector<double> target_;
  std::vector<double> context_;
  std::vector<double> rows_;
  FeatureTexts features_;
};

}  // namespace

std::unique_ptr<LineParser> make_json_lines_parser(const LogOptions& options) {
  return std::make_unique<JsonLinesParser>(options);
}

}  // namespace phe::logs
