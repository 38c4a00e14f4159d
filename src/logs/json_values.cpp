#include "logs/json_values.hpp"

#include <fmt/format.h>

#include "logs/line_reader.hpp"
#include "support/error.hpp"

namespace phe::logs {

static_assert(LineReader::padding >= simdjson::SIMDJSON_PADDING);

namespace {

std::string shown(JsonElement value) {
  std::string text = simdjson::minify(value);
  if (text.size() > 40) text = text.substr(0, 37) + "..";
  return text;
}

Result<double> as_number(JsonElement value, std::string_view key) {
  double number = 0.0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  return invalid("{} must be a number, got {}", key, shown(value));
}

}  // namespace

Result<JsonObject> parse_object(simdjson::dom::parser& parser, std::string_view line) {
  JsonElement document;
  // The line's memory is padded, so it need not be copied.
  if (const auto error = parser.parse(line.data(), line.size(), false).get(document))
    return invalid("not JSON: {}", simdjson::error_message(error));
  JsonObject object;
  if (document.get(object) == simdjson::SUCCESS) return object;
  return invalid("not a JSON object: {}", shown(document));
}

Result<double> number_at(JsonObject object, std::string_view key) {
  JsonElement value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS) return invalid("{} is missing", key);
  return as_number(value, key);
}

Result<void> read_number(JsonObject object, std::string_view key,
                         const std::function<Result<void>(double)>& set) {
  JsonElement value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS) return {};
  const auto number = as_number(value, key);
  if (!number) return number.error();
  return set(number.value());
}

Result<void> read_numbers(JsonObject object, std::string_view key, std::vector<double>& into) {
  into.clear();
  JsonElement value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS) return {};
  simdjson::dom::array array;
  if (value.get(array) != simdjson::SUCCESS) {
    const auto number = as_number(value, key);
    if (!number) return number.error();
    into.push_back(number.value());
    return {};
  }
  for (const JsonElement entry : array) {
    const auto number = as_number(entry, key);
    if (!number) return number.error();
    into.push_back(number.value());
  }
  if (into.empty()) return invalid("{} is empty", key);
  return {};
}

void FeatureTexts::clear() {
  values_.assign(names_.size(), {});
  numbers_.clear();
}

void FeatureTexts::put(const std::string& name, std::string_view text) {
  const auto [at, is_new] = place_.try_emplace(name, names_.size());
  if (is_new) {
    names_.push_back(name);
    values_.emplace_back();
  }
  values_[at->second] = text;
}

void FeatureTexts::add(const std::string& name, JsonElement value) {
  JsonObject object;
  simdjson::dom::array array;
  std::string_view text;
  double number = 0.0;
  bool truth = false;
  if (value.get(object) == simdjson::SUCCESS) {
    for (const auto field : object) add(fmt::format("{}.{}", name, field.key), field.value);
  } else if (value.get(array) == simdjson::SUCCESS) {
    for (const JsonElement entry : array) add(name, entry);
  } else if (value.get(text) == simdjson::SUCCESS) {
    put(name, text);
  } else if (value.get(truth) == simdjson::SUCCESS) {
    put(name, truth ? "1" : "0");
  } else if (value.get(number) == simdjson::SUCCESS) {
    put(name, numbers_.emplace_back(fmt::format("{}", number)));
  }
}

}  // namespace phe::logs
