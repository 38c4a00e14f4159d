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

Result<void> add_numbers(simdjson::dom::array array, std::string_view key,
                         std::vector<double>& into) {
  for (const JsonElement entry : array) {
    const auto number = as_number(entry, key);
    if (!number) return number.error();
    into.push_back(number.value());
  }
  return {};
}

}  // namespace

Result<void> JsonFields::parse(std::string_view line) {
  JsonElement document;
  // The line's memory is padded, so it need not be copied.
  if (const auto error = parser_.parse(line.data(), line.size(), false).get(document))
    return invalid("not JSON: {}", simdjson::error_message(error));
  JsonObject object;
  if (document.get(object) != simdjson::SUCCESS)
    return invalid("not a JSON object: {}", shown(document));
  values_.resize(keys_.size());
  found_.assign(keys_.size(), false);
  for (const auto& [key, value] : object)
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (key == keys_[i] && !found_[i]) {
        values_[i] = value;
        found_[i] = true;
      }
  return {};
}

bool JsonFields::is_true(std::size_t field) const {
  bool value = false;
  return has(field) && values_[field].get(value) == simdjson::SUCCESS && value;
}

Result<double> JsonFields::number(std::size_t field) const {
  if (!has(field)) return invalid("{} is missing", keys_[field]);
  return as_number(values_[field], keys_[field]);
}

std::optional<JsonObject> JsonFields::object(std::size_t field) const {
  JsonObject object;
  if (!has(field) || values_[field].get(object) != simdjson::SUCCESS) return std::nullopt;
  return object;
}

Result<void> JsonFields::read_numbers(std::size_t field, std::vector<double>& into) const {
  into.clear();
  if (!has(field)) return {};
  simdjson::dom::array array;
  if (values_[field].get(array) != simdjson::SUCCESS)
    return read_number(field, [&](double x) -> Result<void> {
      into.push_back(x);
      return {};
    });
  if (auto done = add_numbers(array, keys_[field], into); !done) return done;
  if (into.empty()) return invalid("{} is empty", keys_[field]);
  return {};
}

Result<std::size_t> JsonFields::read_rows(std::size_t field, std::vector<double>& into) const {
  into.clear();
  if (!has(field)) return std::size_t{0};
  const std::string& key = keys_[field];
  simdjson::dom::array rows;
  if (values_[field].get(rows) != simdjson::SUCCESS)
    return invalid("{} must be a list of lists", key);
  std::size_t count = 0;
  for (const JsonElement entry : rows) {
    simdjson::dom::array row;
    if (entry.get(row) != simdjson::SUCCESS) return invalid("{} must be a list of lists", key);
    if (auto done = add_numbers(row, key, into); !done) return done.error();
    ++count;
    if (row.size() == 0 || into.size() != count * row.size())
      return invalid("{} must have rows of the same length, and not empty", key);
  }
  return count;
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
