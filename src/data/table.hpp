// TextTable: a CSV file as cells of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe {

class TextTable {
 public:
  // Plain or gzip, one row a line, CRLF allowed; blank lines are skipped. A cell may stand in
  // quotes, with "" for a quote, and then hold commas, but no line break. The first line is a
  // header when none of its cells begins like a number, or when `name` is one of them and is not a
  // whole number itself. Errors name file and line.
  static Result<TextTable> read(const std::string& file, std::string_view name = {});

  [[nodiscard]] std::size_t rows() const noexcept { return lines_.size(); }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] const std::string& cell(std::size_t row, std::size_t column) const noexcept {
    return cells_[row * columns_ + column];
  }
  // The column of that name, or of that number, counted from 1.
  [[nodiscard]] Result<std::size_t> column(std::string_view key, std::string_view name) const;

  // "data.csv: line 3, column 2 (age)": where a cell stands, for messages.
  [[nodiscard]] std::string place(std::size_t row, std::size_t column) const;
  // "column 2 (age)", or "column 2" without a header.
  [[nodiscard]] std::string column_text(std::size_t column) const;
  [[nodiscard]] const std::string& file() const noexcept { return file_; }

 private:
  Result<void> add_line(std::string_view line, std::size_t number, std::string_view name);

  std::string file_;
  std::vector<std::string> names_;  // of the columns; none without a header
  std::size_t columns_ = 0;
  std::vector<std::string> cells_;  // row by row
  std::vector<std::size_t> lines_;  // of each row, counted from 1
};

}  // namespace phe
