#include "spec/spec_text.hpp"

#include "support/text.hpp"

namespace phe {

namespace {

// The length of the first part: up to a mark outside of quotes.
std::size_t part_length(std::string_view text, char mark) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == mark && !quoted) return i;
  }
  return text.size();
}

std::optional<std::string> unquoted(std::string_view text) {
  if (text.find('"') == std::string_view::npos) return std::string(text);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && text.substr(i++, 2) != "\"\"") return std::nullopt;
    value += text[i];
  }
  return value;
}

std::optional<SpecItem> parsed_item(std::string_view text) {
  const auto equals = text.find('=');
  SpecItem item{std::string(trim(text.substr(0, equals))), std::nullopt};
  if (equals == std::string_view::npos) return item;
  item.value = unquoted(trim(text.substr(equals + 1)));
  if (!item.value) return std::nullopt;
  return item;
}

}  // namespace

std::vector<std::string_view> split_outside_quotes(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t length = part_length(text, mark);
    parts.push_back(text.substr(0, length));
    if (length == text.size()) return parts;
    text.remove_prefix(length + 1);
  }
}

std::string_view name_of(std::string_view spec) { return trim(spec.substr(0, spec.find(':'))); }

std::optional<std::vector<SpecItem>> items_of(std::string_view spec) {
  std::vector<SpecItem> items;
  const auto colon = spec.find(':');
  if (colon == std::string_view::npos) return items;
  for (const std::string_view text : split_outside_quotes(spec.substr(colon + 1), ',')) {
    auto item = parsed_item(text);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return items;
}

std::string spec_value(std::string_view value) {
  const bool plain = value.find_first_of(",\"|") == std::string_view::npos && trim(value) == value;
  return plain ? std::string(value) : in_quotes(value);
}

}  // namespace phe
