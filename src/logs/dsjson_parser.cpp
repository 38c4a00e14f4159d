// dsjson, the log of Vowpal Wabbit's decision services: one JSON object an event.
//
// `a` holds the actions in ranked order, numbered from 1, the chosen one first, and p[i] belongs to
// a[i]; `_label_cost` is minus the reward; an event was kept with probability 1 - `pdrop`.
#include <algorithm>
#include <cmath>

#include "logs/fields.hpp"
#include "logs/json_values.hpp"
#include "logs/line_parser.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

bool has(JsonObject object, std::string_view key) {
  return object.at_key(key).error() == simdjson::SUCCESS;
}

bool is_true(JsonObject object, std::string_view key) {
  bool value = false;
  return object.at_key(key).get(value) == simdjson::SUCCESS && value;
}

// A late reward that was joined to no decision.
bool is_dangling(JsonObject object) { return has(object, "RewardValue") && !has(object, "c"); }

bool is_deferred(JsonObject object) {
  return is_true(object, "_deferred") || is_true(object, "DeferredAction") ||
         is_true(object, "_skipLearn");
}

class DsjsonParser final : public LineParser {
 public:
  explicit DsjsonParser(const LogOptions& options) : options_(options) {}

  Result<LineKind> parse(std::string_view line, Decision& decision) override {
    if (line.empty()) return LineKind::blank;
    const auto object = parse_object(parser_, line);
    if (!object) return object.error();
    if (is_dangling(object.value())) return LineKind::dangling;
    if (is_deferred(object.value())) return LineKind::deferred;
    auto done = check_kind(object.value());
    if (done) done = read_choice(object.value(), decision);
    if (done) done = read_laws(object.value(), decision);
    if (!done) return done.error();
    if (options_.want_features) read_features(object.value(), decision);
    return LineKind::decision;
  }

  [[nodiscard]] const std::vector<std::string>& feature_names() const override {
    return features_.names();
  }

 private:
  static Result<void> check_kind(JsonObject object) {
    if (has(object, "_outcomes"))
      return invalid("_outcomes: events with several slots are not read");
    if (has(object, "_label_ca"))
      return invalid("_label_ca: events with continuous actions are not read");
    return {};
  }

  Result<void> read_choice(JsonObject object, Decision& d) {
    if (auto done = read_numbers(object, "a", ranked_); !done) return done;
    if (auto done = read_numbers(object, "p", ranked_probabilities_); !done) return done;
    d.actions = options_.actions;
    if (!ranked_.empty())
      if (auto done = set_actions(static_cast<double>(ranked_.size()), d); !done) return done;
    const auto action = number_at(object, "_label_Action");
    if (!action) return action.error();
    if (auto done = set_action(action.value(), 1, d); !done) return done;
    const auto cost = number_at(object, "_label_cost");
    if (!cost) return cost.error();
    if (auto done = set_reward(0.0 - cost.value(), d); !done) return done;
    return read_number(object, "pdrop", [&](double pdrop) -> Result<void> {
      if (!(pdrop >= 0.0 && pdrop < 1.0))
        return invalid("pdrop must be from 0 to below 1, got {}", pdrop);
      d.multiplicity = 1.0 / (1.0 - pdrop);
      return {};
    });
  }

  Result<void> read_laws(JsonObject object, Decision& d) {
    const auto propensity = number_at(object, "_label_probability");
    if (!propensity) return propensity.error();
    if (auto done = set_propensity(propensity.value(), d); !done) return done;
    if (auto done = order_by_action(d); !done) return done;
    if (auto done = set_probabilities(probabilities_, d); !done) return done;
    if (options_.target_column.empty()) return {};
    if (auto done = read_numbers(object, options_.target_column, target_); !done) return done;
    if (target_.empty()) return invalid("{} is missing", options_.target_column);
    return set_target(target_, d);
  }

  // probabilities[a[i] - 1] = p[i]. Demands a permutation of 1..K with the chosen action first.
  Result<void> order_by_action(const Decision& d) {
    probabilities_.clear();
    if (ranked_.empty()) return {};
    if (ranked_[0] != static_cast<double>(d.action + 1))
      return invalid("a[0] is {}, but _label_Action is {}", ranked_[0], d.action + 1);
    if (ranked_.size() != ranked_probabilities_.size())
      return invalid("a has {} entries, p has {}", ranked_.size(), ranked_probabilities_.size());
    probabilities_.assign(ranked_.size(), -1.0);
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
      const double id = ranked_[i];
      if (!(id >= 1.0 && id <= static_cast<double>(ranked_.size()) && id == std::floor(id)) ||
          probabilities_[static_cast<std::size_t>(id) - 1] >= 0.0)
        return invalid("a must hold each of 1 to {} once, got {}", ranked_.size(), id);
      if (!(ranked_probabilities_[i] >= 0.0))
        return invalid("p must be from 0 to 1, got {}", ranked_probabilities_[i]);
      probabilities_[static_cast<std::size_t>(id) - 1] = ranked_probabilities_[i];
    }
    return {};
  }

  // The namespaces that all actions share. Keys with a leading _ are no features, but for two.
  void read_features(JsonObject object, Decision& d) {
    features_.clear();
    JsonObject context;
    if (object.at_key("c").get(context) == simdjson::SUCCESS)
      for (const auto field : context)
        if (!field.key.starts_with('_') || field.key == "_text" || field.key == "_tag")
          features_.add(std::string(field.key), field.value);
    d.features = features_.values();
  }

  LogOptions options_;
  simdjson::dom::parser parser_;
  std::vector<double> ranked_;
  std::vector<double> ranked_probabilities_;
  std::vector<double> probabilities_;
  std::vector<double> target_;
  FeatureTexts features_;
};

}  // namespace

std::unique_ptr<LineParser> make_dsjson_parser(const LogOptions& options) {
  return std::make_unique<DsjsonParser>(options);
}

}  // namespace phe::logs
