// Columns of a TextTable as numbers, or as the texts that occur in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/table.hpp"
#include "phe/result.hpp"

namespace phe {

// Either all cells are numbers, or all are texts that are numbered in byte order.
struct Column {
  std::vector<double> numbers;           // of each row; none in a column of texts
  std::vector<std::string> categories;   // none in a column of numbers
  std::vector<std::uint32_t> positions;  // of each row's text among the categories

  [[nodiscard]] bool is_text() const noexcept { return !categories.empty(); }
};

// Missing cells (empty, ?, NA, N/A, NaN, null) are refused, and so are numbers beyond +-1e100.
Result<Column> read_column(const TextTable& table, std::size_t column);

// The same for what is to be told apart and not to be added: numbers become categories too, in the
// order of numbers.
Result<Column> read_categories(const TextTable& table, std::size_t column);

}  // namespace phe
