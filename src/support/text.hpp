// Text in and out: whole files, trimmed words, exact numbers.
#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "phe/result.hpp"

namespace phe {

Result<std::string> read_file(const std::filesystem::path& file);
// Replaces the file as a whole or not at all: a temporary file beside it, synced, then renamed.
Result<void> write_file(const std::filesystem::path& file, std::string_view text);

std::string_view trim(std::string_view text);
// Without the mark (EF BB BF) that some editors put before UTF-8.
std::string_view without_bom(std::string_view text);
// The text in double quotes, those within it doubled, as CSV files and specs have it.
std::string in_quotes(std::string_view text);

// The whole of `text` as a number, or nothing. A leading '+' is not a number; "nan" and "inf" are.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace phe
