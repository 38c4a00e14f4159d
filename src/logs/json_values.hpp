// Parts of a JSON object, for the parsers of logs. The only header that knows simdjson.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <simdjson.h>

#include "phe/result.hpp"

namespace phe::logs {

using JsonObject = simdjson::dom::object;
using JsonElement = simdjson::dom::element;

// The line as a JSON object: all of it, nothing behind it. Valid until the parser's next line.
Result<JsonObject> parse_object(simdjson::dom::parser& parser, std::string_view line);

// The number under `key`. An error when it is missing or no number.
Result<double> number_at(JsonObject object, std::string_view key);
// Hands the number under `key` to `set`, if there is one. An error when it is there and no number.
Result<void> read_number(JsonObject object, std::string_view key,
                         const std::function<Result<void>(double)>& set);
// Fills `into` with an array of numbers, or one number; leaves it empty where there is no such key.
Result<void> read_numbers(JsonObject object, std::string_view key, std::vector<double>& into);

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
