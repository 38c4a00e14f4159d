// The cells of a CSV line (RFC 4180, without line breaks inside of quotes).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe::logs {

// How often `byte` occurs, sixteen and more at a time.
std::size_t count_byte(std::string_view text, char byte) noexcept;

// All cells, quotes undone. An error when a quote is not closed or stands inside of a cell.
Result<std::vector<std::string>> split_cells(std::string_view line);

// Finds some cells of a line without looking at the others more than it takes to count them.
class CellFinder {
 public:
  // `wanted`: columns in ascending order, each once, all below `columns`, at least one.
  CellFinder(std::vector<std::size_t> wanted, std::size_t columns);

  // The wanted cells; valid until the next call, and as long as the line. An error when the line
  // has not as many cells as there are columns.
  Result<std::span<const std::string_view>> find(std::string_view line);

 private:
  Result<std::span<const std::string_view>> find_quoted(std::string_view line);

  std::vector<std::size_t> wanted_;
  std::size_t columns_;
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;
};

}  // namespace phe::logs
