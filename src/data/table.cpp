#include "data/table.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "logs/csv_cells.hpp"
#include "logs/line_reader.hpp"
#include "spec/nearest.hpp"
#include "support/csv.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

bool is_header(const std::vector<std::string>& cells, std::string_view name) {
  if (std::ranges::none_of(cells, looks_like_number)) return true;
  return !parse_number<std::uint64_t>(name) && std::ranges::find(cells, name) != cells.end();
}

}  // namespace

Result<TextTable> TextTable::read(const std::string& file, std::string_view name) {
  auto reader = logs::LineReader::open(file);
  if (!reader) return reader.error();
  TextTable table;
  table.file_ = file;
  for (;;) {
    const auto line = reader->next();
    if (!line) return line.error();
    if (!line.value()) break;
    if (auto added = table.add_line(*line.value(), reader->line_number(), name); !added)
      return added.error();
  }
  if (table.rows() == 0) return invalid("{}: no row of data", file);
  return table;
}

Result<void> TextTable::add_line(std::string_view line, std::size_t number, std::string_view name) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (number == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  if (trim(line).empty()) return {};
  auto cells = logs::split_cells(line);
  if (!cells) return invalid("{}: line {}: {}", file_, number, cells.error().message);
  for (std::string& cell : cells.value()) cell = trim(cell);
  if (columns_ == 0) {
    columns_ = cells->size();
    if (is_header(cells.value(), name)) {
      names_ = std::move(cells).value();
      return {};
    }
  }
  if (cells->size() != columns_)
    return invalid("{}: line {} has {} columns, the first line has {}", file_, number,
                   cells->size(), columns_);
  std::ranges::move(cells.value(), std::back_inserter(cells_));
  lines_.push_back(number);
  return {};
}

Result<std::size_t> TextTable::column(std::string_view key, std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  if (const auto number = parse_number<std::uint64_t>(name)) {
    if (*number >= 1 && *number <= columns_) return static_cast<std::size_t>(*number - 1);
    return invalid("{} must be a column of {}, from 1 to {}, got {}", key, file_, columns_,
                   *number);
  }
  if (names_.empty())
    return invalid(
        "{} must be a column of {} by number, from 1 to {}, as it has no header; got "
        "'{}'",
        key, file_, columns_, name);
  return invalid("{} must be a column of {} by name or number; none is called '{}'{}", key, file_,
                 name, suggestion(name, names_));
}

std::string TextTable::column_text(std::size_t column) const {
  if (names_.empty()) return fmt::format("column {}", column + 1);
  return fmt::format("column {} ({})", column + 1, names_[column]);
}

std::string TextTable::place(std::size_t row, std::size_t column) const {
  return fmt::format("{}: line {}, {}", file_, lines_[row], column_text(column));
}

}  // namespace phe
