// The project's own format, one JSON object a line: docs/log-format.md.
#include <algorithm>

#include "logs/fields.hpp"
#include "logs/json_values.hpp"
#include "logs/line_parser.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

class JsonLinesParser final : public LineParser {
 public:
  explicit JsonLinesParser(const LogOptions& options)
      : options_(options),
        position_(options.columns.position.value_or("position")),
        actions_(options.columns.actions.value_or("actions")),
        probabilities_key_(options.columns.probabilities.value_or("probabilities")) {}

  Result<LineKind> parse(std::string_view line, Decision& decision) override {
    if (line.empty()) return LineKind::blank;
    const auto object = parse_object(parser_, line);
    if (!object) return object.error();
    auto done = read_choice(object.value(), decision);
    if (done) done = read_laws(object.value(), decision);
    if (!done) return done.error();
    if (options_.want_features) read_features(object.value(), decision);
    return LineKind::decision;
  }

  [[nodiscard]] const std::vector<std::string>& feature_names() const override {
    return features_.names();
  }

 private:
  Result<void> read_choice(JsonObject object, Decision& d) {
    d.actions = options_.actions;
    auto done = read_number(object, actions_, [&](double x) { return set_actions(x, d); });
    if (!done) return done;
    const auto action = number_at(object, options_.columns.action);
    if (!action) return action.error();
    if (done = set_action(action.value(), 0, d); !done) return done;
    const auto reward = number_at(object, options_.columns.reward);
    if (!reward) return reward.error();
    if (done = set_reward(reward.value(), d); !done) return done;
    return read_number(object, position_, [&](double x) { return set_slot(x, d); });
  }

  // The propensity may be left out where the probabilities of all actions are there.
  Result<void> read_laws(JsonObject object, Decision& d) {
    if (auto done = read_numbers(object, probabilities_key_, probabilities_); !done) return done;
    bool given = false;
    auto done = read_number(object, options_.columns.propensity, [&](double x) {
      given = true;
      return set_propensity(x, d);
    });
    if (done && !given) {
      if (d.action >= probabilities_.size())
        return invalid("{} is missing", options_.columns.propensity);
      done = set_propensity(probabilities_[d.action], d);
    }
    if (done) done = set_probabilities(probabilities_, d);
    if (!done || options_.target_column.empty()) return done;
    if (done = read_numbers(object, options_.target_column, target_); !done) return done;
    if (target_.empty()) return invalid("{} is missing", options_.target_column);
    return set_target(target_, d);
  }

  void read_features(JsonObject object, Decision& d) {
    features_.clear();
    JsonObject features;
    if (object.at_key("features").get(features) == simdjson::SUCCESS)
      for (const auto field : features)
        if (wanted(field.key)) features_.add(std::string(field.key), field.value);
    d.features = features_.values();
  }

  [[nodiscard]] bool wanted(std::string_view name) const {
    const auto& list = options_.columns.features;
    return list.empty() ||
           std::ranges::any_of(list, [&](const auto& pattern) { return matches(pattern, name); });
  }

  LogOptions options_;
  std::string position_;
  std::string actions_;
  std::string probabilities_key_;
  simdjson::dom::parser parser_;
  std::vector<double> probabilities_;
  std::vector<double> target_;
  FeatureTexts features_;
};

}  // namespace

std::unique_ptr<LineParser> make_json_lines_parser(const LogOptions& options) {
  return std::make_unique<JsonLinesParser>(options);
}

}  // namespace phe::logs
