#include <algorithm>
#include <cassert>
#include <cmath>

#include "phe/registry.hpp"
#include "spec/nearest.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

// The comma-separated parts of `text`, trimmed; at least one.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto comma = text.find(',');
    parts.push_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> keys_of(const std::vector<ParameterInfo>& known) {
  std::vector<std::string> keys;
  keys.reserve(known.size());
  for (const auto& info : known) keys.push_back(info.key);
  return keys;
}

Error unknown_key(std::string_view owner, std::string_view key,
                  const std::vector<ParameterInfo>& known) {
  if (known.empty()) return invalid("{} has no key '{}'; it takes none", owner, key);
  const auto keys = keys_of(known);
  return invalid("{} has no key '{}'{} (keys: {})", owner, key, suggestion(key, keys),
                 fmt::join(keys, ", "));
}

bool is_flag(std::string_view default_text) {
  return default_text == "true" || default_text == "false";
}

// One way to write each number, so that 0.5, .5 and 0.50 are the same text.
std::string canonical_value(const std::string& text) {
  if (const auto count = parse_number<std::uint64_t>(text)) return fmt::format("{}", *count);
  if (const auto real = parse_number<double>(text)) return fmt::format("{}", *real);
  return text;
}

}  // namespace

Result<Parameters> Parameters::parse(std::string_view kind, std::string_view spec,
                                     const std::vector<ParameterInfo>& known) {
  const auto colon = spec.find(':');
  Parameters parameters;
  parameters.kind_ = kind;
  parameters.name_ = trim(spec.substr(0, colon));
  for (const auto& info : known)
    parameters.values_.push_back({info.key, info.default_value, info.default_value, false});
  if (colon == std::string_view::npos) return parameters;

  const std::string owner = fmt::format("{} {}", kind, parameters.name_);
  for (const std::string_view item : split(spec.substr(colon + 1))) {
    const auto equals = item.find('=');
    const bool bare = equals == std::string_view::npos;
    const auto key = trim(item.substr(0, equals));
    const auto text = bare ? "true" : trim(item.substr(equals + 1));
    if (key.empty()) return invalid("{}: a key is missing in '{}'", owner, spec);
    const auto value = std::ranges::find(parameters.values_, key, &Value::key);
    if (value == parameters.values_.end()) return unknown_key(owner, key, known);
    if (value->given) return invalid("{}: {} is given twice in '{}'", owner, key, spec);
    if (text.empty() || (bare && !is_flag(value->default_text)))
      return invalid("{}: {} needs a value, as in {}={}", owner, key, key, value->default_text);
    value->text = text;
    value->given = true;
  }
  return parameters;
}

const Parameters::Value& Parameters::find(std::string_view key) const {
  const auto value = std::ranges::find(values_, key, &Value::key);
  assert(value != values_.end() && "an entry reads only the keys that it lists");
  return *value;
}

void Parameters::fail(std::string_view key, std::string_view text, std::string_view allowed) {
  if (error_.ok())
    error_ = invalid("{} {}: {} must be {}, got '{}'", kind_, name_, key, allowed, text);
}

double Parameters::real(std::string_view key) {
  const Value& value = find(key);
  const auto number = parse_number<double>(value.text);
  if (number && std::isfinite(*number)) return *number;
  fail(key, value.text, number ? "a finite number" : "a number");
  return parse_number<double>(value.default_text).value_or(0.0);
}

std::uint64_t Parameters::count(std::string_view key) {
  const Value& value = find(key);
  if (const auto number = parse_number<std::uint64_t>(value.text)) return *number;
  fail(key, value.text, "a whole number, 0 or more");
  return parse_number<std::uint64_t>(value.default_text).value_or(0);
}

bool Parameters::flag(std::string_view key) {
  const Value& value = find(key);
  if (is_flag(value.text)) return value.text == "true";
  fail(key, value.text, "true or false");
  return value.default_text == "true";
}

std::string Parameters::text(std::string_view key) const { return find(key).text; }

std::size_t Parameters::choice(std::string_view key, const std::vector<std::string>& choices) {
  const Value& value = find(key);
  const auto found = std::ranges::find(choices, value.text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  fail(key, value.text, fmt::format("{}", fmt::join(choices, " or ")));
  return 0;
}

bool Parameters::given(std::string_view key) const { return find(key).given; }

std::string Parameters::canonical() const {
  std::string text = name_;
  char mark = ':';
  for (const Value& value : values_) {
    const std::string shown = canonical_value(value.text);
    if (shown == canonical_value(value.default_text)) continue;
    text += fmt::format("{}{}={}", mark, value.key, shown);
    mark = ',';
  }
  return text;
}

}  // namespace phe
