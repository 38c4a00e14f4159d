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

enum Field : std::size_t {
  action,
  cost,
  probability,
  ranked,
  ranked_probabilities,
  context,
  pdrop,
  late_reward,
  deferred,
  deferred_action,
  skip_learn,
  outcomes,
  continuous,
  target
};

std::vector<std::string> keys(const LogOptions& options) {
  std::vector<std::string> keys = {"_label_Action",
                                   "_label_cost",
                                   "_label_probability",
                                   "a",
                                   "p",
                                   "c",
                                   "pdrop",
                                   "RewardValue",
                                   "_deferred",
                                   "DeferredAction",
                                   "_skipLearn",
                                   "_outcomes",
                                   "_label_ca"};
  if (!options.target_column.empty()) keys.push_back(options.target_column);
  return keys;
}

class DsjsonParser final : public LineParser {
 public:
  explicit DsjsonParser(const LogOptions& options) : options_(options), fields_(keys(options)) {}

  Result<LineKind> parse(std::string_view line, Decision& decision) override {
    if (line.empty()) return LineKind::blank;
    if (auto done = fields_.parse(line); !done) return done.error();
    // A late reward that was joined to no decision.
    if (fields_.has(late_reward) && !fields_.has(context)) return LineKind::dangling;
    if (fields_.is_true(deferred) || fields_.is_true(deferred_action) ||
        fields_.is_true(skip_learn))
      return LineKind::deferred;
    auto done = check_kind();
    if (done) done = read_choice(decision);
    if (done) done = read_laws(decision);
    if (!done) return done.error();
    if (options_.want_features) read_features(decision);
    return LineKind::decision;
  }

  [[nodiscard]] const std::vector<std::string>& feature_names() const override {
    return features_.names();
  }

 private:
  [[nodiscard]] Result<void> check_kind() const {
    if (fields_.has(outcomes)) return invalid("_outcomes: events with several slots are not read");
    if (fields_.has(continuous))
      return invalid("_label_ca: events with continuous actions are not read");
    return {};
  }

  Result<void> read_choice(Decision& d) {
    if (auto done = fields_.read_numbers(ranked, ranked_); !done) return done;
    if (auto done = fields_.read_numbers(ranked_probabilities, ranked_probabilities_); !done)
      return done;
    d.actions = options_.actions;
    if (!ranked_.empty())
      if (auto done = set_actions(static_cast<double>(ranked_.size()), d); !done) return done;
    const auto id = fields_.number(action);
    if (!id) return id.error();
    if (auto done = set_action(id.value(), 1, d); !done) return done;
    const auto paid = fields_.number(cost);
    if (!paid) return paid.error();
    if (auto done = set_reward(0.0 - paid.value(), d); !done) return done;
    return fields_.read_number(pdrop, [&](double dropped) -> Result<void> {
      if (!(dropped >= 0.0 && dropped < 1.0))
        return invalid("pdrop must be from 0 to below 1, got {}", dropped);
      d.multiplicity = 1.0 / (1.0 - dropped);
      return {};
    });
  }

  Result<void> read_laws(Decision& d) {
    const auto propensity = fields_.number(probability);
    if (!propensity) return propensity.error();
    if (auto done = set_propensity(propensity.value(), d); !done) return done;
    if (auto done = order_by_action(d); !done) return done;
    if (auto done = set_probabilities(probabilities_, d); !done) return done;
    if (options_.target_column.empty()) return {};
    if (auto done = fields_.read_numbers(target, target_); !done) return done;
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
  void read_features(Decision& d) {
    features_.clear();
    if (const auto object = fields_.object(context))
      for (const auto field : *object)
        if (!field.key.starts_with('_') || field.key == "_text" || field.key == "_tag")
          features_.add(std::string(field.key), field.value);
    d.features = features_.values();
  }

  LogOptions options_;
  JsonFields fields_;
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
