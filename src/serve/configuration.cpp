#include "serve/configuration.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace phe::serve {

using nlohmann::json;

namespace {

constexpr std::array modes{"Online", "Apprentice", "LoggingOnly"};
constexpr std::array aggregations{"earliest", "sum"};

// The place of `text` among `names`, whatever the case of its letters.
template <std::size_t N>
std::optional<std::size_t> place_of(const std::array<const char*, N>& names,
                                    std::string_view text) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  for (std::size_t i = 0; i < N; ++i)
    if (std::ranges::equal(std::string_view(names[i]), text, same)) return i;
  return std::nullopt;
}

// Reads the fields of a PUT one by one, and keeps the first thing that is wrong.
class Fields {
 public:
  explicit Fields(const json& body) : body_(body) {}

  void number(const char* key, double low, double high, double& into) {
    const json* value = required(key);
    if (value == nullptr) return;
    if (!value->is_number() || !(value->get<double>() >= low && value->get<double>() <= high))
      return refuse(
          "InvalidServiceConfiguration",
          fmt::format("{} must be a number from {} to {}, got {}", key, low, high, value->dump()));
    into = value->get<double>();
  }
  void duration(const char* key, std::int64_t low, std::int64_t high, std::string_view code,
                std::int64_t& into) {
    const json* value = required(key);
    if (value == nullptr) return;
    const auto read = value->is_string() ? parse_duration(value->get_ref<const std::string&>())
                                         : Result<std::int64_t>(Error{""});
    if (!read || read.value() < low || read.value() > high)
      return refuse(code, fmt::format("{} must be a duration from {} to {}, got {}", key,
                                      duration_text(low, DurationForm::iso),
                                      duration_text(high, DurationForm::iso), value->dump()));
    into = read.value();
  }
  void days(const char* key, std::int64_t& into) {
    const json* value = required(key);
    if (value == nullptr) return;
    if (!value->is_number_integer() || value->get<std::int64_t>() < -1 ||
        value->get<std::int64_t>() > 36'500)
      return refuse(
          "InvalidLogRetentionDays",
          fmt::format("{} must be a whole number from -1 to 36500, got {}", key, value->dump()));
    into = value->get<std::int64_t>();
  }
  template <class Enum, std::size_t N>
  void choice(const char* key, const std::array<const char*, N>& names, bool optional, Enum& into) {
    const json* value = optional ? present(key) : required(key);
    if (value == nullptr) return;
    const auto place =
        value->is_string() ? place_of(names, value->get_ref<const std::string&>()) : std::nullopt;
    if (!place)
      return refuse(
          "InvalidServiceConfiguration",
          fmt::format("{} must be one of {}, got {}", key, fmt::join(names, ", "), value->dump()));
    into = static_cast<Enum>(*place);
  }
  void refuse(std::string_view code, std::string message) {
    if (refusal_.code.empty()) refusal_ = {code, one_line(std::move(message))};
  }
  [[nodiscard]] Refusal refusal() const { return refusal_; }

 private:
  const json* present(const char* key) const {
    const auto at = body_.find(key);
    return at == body_.end() || at->is_null() ? nullptr : &*at;
  }
  const json* required(const char* key) {
    const json* value = present(key);
    if (value == nullptr) refuse("InvalidServiceConfiguration", fmt::format("{} is missing", key));
    return value;
  }

  const json& body_;
  Refusal refusal_;
};

json fields_of(const Configuration& c, DurationForm form) {
  return {{"rewardWaitTime", duration_text(c.reward_wait, form)},
          {"defaultReward", c.default_reward},
          {"rewardAggregation", aggregations[static_cast<std::size_t>(c.aggregation)]},
          {"explorationPercentage", c.exploration},
          {"modelExportFrequency", duration_text(c.export_every, form)},
          {"logRetentionDays", c.retention_days},
          {"learningMode", modes[static_cast<std::size_t>(c.mode)]},
          {"lastConfigurationEditDate", time_text(c.edited)},
          {"logMirrorEnabled", false},
          {"isAutoOptimizationEnabled", false}};
}

void check_together(const Configuration& old, const Configuration& now, Fields& fields) {
  if (now.mode != old.mode &&
      (now.default_reward != old.default_reward || now.reward_wait != old.reward_wait ||
       now.aggregation != old.aggregation))
    fields.refuse("InvalidLearningModeServiceConfiguration",
                  "learningMode cannot change together with defaultReward, rewardWaitTime or "
                  "rewardAggregation: send one after the other");
  if (now.retention_days >= 0 && now.retention_days * day < now.reward_wait + day)
    fields.refuse("InvalidLogRetentionDays",
                  fmt::format("logRetentionDays must be -1 or at least a day more than "
                              "rewardWaitTime, got {}",
                              now.retention_days));
}

}  // namespace

std::string to_json(const Configuration& configuration, DurationForm form) {
  return fields_of(configuration, form).dump();
}

Change change_configuration(const Configuration& old, std::string_view body) {
  const json document = json::parse(body, nullptr, false);
  Change change{old};
  if (!document.is_object()) {
    change.refusal = {"InvalidServiceConfiguration", "the body must be a JSON object"};
    return change;
  }
  Configuration& c = change.configuration;
  Fields fields(document);
  fields.duration("rewardWaitTime", 0, 30 * day, "InvalidRewardWaitTime", c.reward_wait);
  fields.number("defaultReward", -1.0, 1.0, c.default_reward);
  fields.choice("rewardAggregation", aggregations, false, c.aggregation);
  fields.number("explorationPercentage", 0.0, 1.0, c.exploration);
  fields.duration("modelExportFrequency", 0, 30 * day, "InvalidServiceConfiguration",
                  c.export_every);
  fields.days("logRetentionDays", c.retention_days);
  fields.choice("learningMode", modes, true, c.mode);
  check_together(old, c, fields);
  change.refusal = fields.refusal();
  return change;
}

std::string to_text(const Configuration& configuration) {
  json all = fields_of(configuration, DurationForm::iso);
  all["policyName"] = configuration.policy_name;
  all["policyArguments"] = configuration.policy;
  all["edited"] = configuration.edited;
  return all.dump();
}

Result<Configuration> read_configuration(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  Configuration base;
  base.mode = LearningMode::online;
  const Change change = change_configuration(base, text);
  // A stored mode is no change of mode.
  if (!change.refusal.code.empty() &&
      change.refusal.code != "InvalidLearningModeServiceConfiguration")
    return invalid("configuration: {}", change.refusal.message);
  if (!document.contains("policyName") || !document.contains("policyArguments"))
    return invalid("configuration: it has no policy");
  Configuration c = change.configuration;
  c.policy_name = document.value("policyName", "");
  c.policy = document.value("policyArguments", "");
  c.edited = document.value("edited", std::int64_t{0});
  return c;
}

}  // namespace phe::serve
