// Parts of a JSON object, for the parsers of logs. The only header that knows simdjson.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <simdjson.h>

#include "phe/result.hpp"

namespace phe::logs {

using JsonObject = simdjson::dom::object;
using JsonElement = simdjson::dom::element;

// The values of some keys of a line, found in one walk through its object. Of a key that stands
// twice the first counts. Valid until the next line.
class JsonFields {
 public:
  // A field is known by the place of its key in this list.
  explicit JsonFields(std::vector<std::string> keys) : keys_(std::move(keys)) {}

  // The line must be a JSON object: all of it, nothing behind it.
  Result<void> parse(std::string_view line);

  [[nodiscard]] bool has(std::size_t field) const { return found_[field]; }
  // Whether it is there, and true.
  [[nodiscard]] bool is_true(std::size_t field) const;
  // An error when it is missing or no number.
  [[nodiscard]] Result<double> number(std::size_t field) const;
  // Hands it to `set`, if it is there. An error when it is there and no number.
  template <class Set>
  Result<void> read_number(std::size_t field, const Set& set) const {
    if (!has(field)) return {};
    const auto value = number(field);
    if (!value) return value.error();
    return set(value.value());
  }
  // Fills `into` with an array of numbers, or one number; leaves it empty where there is none.
  Result<void> read_numbers(std::size_t field, std::vector<double>& into) const;
  // The numbers of an array of arrays, all of the same length, one behind the other. How many
  // arrays there are; 0 where there is no such key.
  Result<std::size_t> read_rows(std::size_t field, std::vector<double>& into) const;
  // The object under it; nothing where there is none.
  [[nodiscard]] std::optional<JsonObject> object(std::size_t field) const;

 private:
  std::vector<std::string> keys_;
  std::vector<JsonElement> values_;
  std::vector<bool> found_;
  simdjson::dom::parser parser_;
};

// The features of one line, as text, in the order in which their names were first met.
class FeatureTexts {
 public:
  void clear();
  // `value` under `name`: texts as they are, numbers exactly, true and false as 1 and 0, nothing
  // for null. Objects and arrays are walked through, as "name.key" and "name".
  void add(const std::string& name, JsonElement value);

  [[nodiscard]] const std::vector<std::string_view>& values() const noexcept { return values_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  void put(const std::string& name, std::string_view text);

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<std::string_view> values_;
  std::deque<std::string> numbers_;  // texts that are not in the line itself
};

}  // namespace phe::logs
