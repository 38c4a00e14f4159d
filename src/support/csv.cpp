#include "support/csv.hpp"

#include <algorithm>
#include <cmath>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t start = 0;;) {
    const std::size_t comma = line.find(',', start);
    cells.push_back(trim(line.substr(start, comma - start)));
    if (comma == std::string_view::npos) return cells;
    start = comma + 1;
  }
}

}  // namespace

bool looks_like_number(std::string_view cell) {
  return parse_number<double>(cell).has_value() ||
         (!cell.empty() &&
          std::string_view("0123456789+-.").find(cell.front()) != std::string_view::npos);
}

Result<std::vector<std::vector<double>>> parse_csv_numbers(std::string_view text,
                                                           std::string_view file_name) {
  text = without_bom(text);
  std::vector<std::vector<double>> rows;
  bool first_line = true;
  std::size_t line_number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (line.empty() || line.front() == '#') continue;
    const auto cells = split_cells(line);
    const bool header = first_line && std::ranges::none_of(cells, looks_like_number);
    first_line = false;
    if (header) continue;
    std::vector<double> row;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const auto value = parse_number<double>(cells[column]);
      if (!value || !std::isfinite(*value))
        return invalid("{}: line {}, column {}: expected a finite number, got '{}'", file_name,
                       line_number, column + 1, cells[column]);
      row.push_back(*value);
    }
    if (!rows.empty() && row.size() != rows[0].size())
      return invalid("{}: line {} has {} columns, the first row has {}", file_name, line_number,
                     row.size(), rows[0].size());
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return invalid("{}: no row of numbers", file_name);
  return rows;
}

Result<std::vector<std::vector<double>>> read_csv_numbers(const std::filesystem::path& file) {
  auto text = read_file(file);
  if (!text) return text.error();
  return parse_csv_numbers(text.value(), file.string());
}

}  // namespace phe
