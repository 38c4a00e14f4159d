#include "data/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr double largest = 1e100;  // so that squares of differences stay finite

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 6> words = {"", "?", "na", "n/a", "nan", "null"};
  std::string lower(cell);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return std::ranges::find(words, lower) != words.end();
}

std::optional<double> number_in(std::string_view cell) {
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  return parse_number<double>(cell);
}

// The sorted and distinct `values`, and the place of each value among them.
template <class T>
std::vector<T> distinct(const std::vector<T>& values, std::vector<std::uint32_t>& positions) {
  std::vector<T> sorted = values;
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  positions.reserve(values.size());
  for (const T& value : values)
    positions.push_back(
        static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, value) - sorted.begin()));
  return sorted;
}

// All cells as numbers; nothing when one of them is none.
Result<std::optional<std::vector<double>>> numbers_of(const TextTable& table, std::size_t column) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto number = number_in(table.cell(row, column));
    if (!number) return std::optional<std::vector<double>>();
    numbers.push_back(*number + 0.0);  // -0 and 0 are one number
  }
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (!(std::abs(numbers[row]) <= largest))
      return invalid("{}: must be between -1e100 and 1e100, got '{}'", table.place(row, column),
                     table.cell(row, column));
  return std::optional(std::move(numbers));
}

Result<void> check_none_missing(const TextTable& table, std::size_t column) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (is_missing(table.cell(row, column)))
      return invalid("{}: a value is missing (the cell is '{}'); fill it in or leave out the line",
                     table.place(row, column), table.cell(row, column));
  return {};
}

}  // namespace

Result<Column> read_column(const TextTable& table, std::size_t column) {
  if (auto all = check_none_missing(table, column); !all) return all.error();
  auto numbers = numbers_of(table, column);
  if (!numbers) return numbers.error();
  Column read;
  if (numbers.value()) {
    read.numbers = std::move(*numbers.value());
    return read;
  }
  std::vector<std::string_view> texts;
  for (std::size_t row = 0; row < table.rows(); ++row) texts.push_back(table.cell(row, column));
  for (const auto text : distinct(texts, read.positions)) read.categories.emplace_back(text);
  return read;
}

Result<Column> read_categories(const TextTable& table, std::size_t column) {
  auto read = read_column(table, column);
  if (!read || read->is_text()) return read;
  for (const double number : distinct(read->numbers, read->positions))
    read->categories.push_back(fmt::format("{}", number));
  read->numbers.clear();
  return read;
}

}  // namespace phe
