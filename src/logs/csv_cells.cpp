#include "logs/csv_cells.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "support/error.hpp"

namespace phe::logs {

namespace {

Error wrong_count(std::size_t cells, std::size_t columns) {
  return invalid("{} cells, but the header has {}", cells, columns);
}

// One quoted cell that begins at line[at] == '"'; moves `at` behind its closing quote.
Result<std::string> read_quoted(std::string_view line, std::size_t& at) {
  std::string cell;
  for (++at;; ++at) {
    const std::size_t quote = line.find('"', at);
    if (quote == std::string_view::npos) return invalid("a quote is not closed");
    cell += line.substr(at, quote - at);
    at = quote + 1;
    if (at == line.size() || line[at] != '"') return cell;
    cell += '"';
  }
}

}  // namespace

std::size_t count_byte(std::string_view text, char byte) noexcept {
  // Counters of one byte each, so that the compiler compares a whole register at a time; 255 of
  // them fit before one could overflow.
  constexpr std::size_t lanes = 32;
  std::size_t count = 0;
  std::size_t at = 0;
  while (text.size() - at >= lanes) {
    const std::size_t steps = std::min<std::size_t>((text.size() - at) / lanes, 255);
    std::uint8_t counters[lanes] = {};
    for (std::size_t step = 0; step < steps; ++step, at += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        counters[lane] = static_cast<std::uint8_t>(counters[lane] + (text[at + lane] == byte));
    for (const std::uint8_t counter : counters) count += counter;
  }
  for (; at < text.size(); ++at) count += text[at] == byte;
  return count;
}

Result<std::vector<std::string>> split_cells(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t at = 0;; ++at) {
    if (at < line.size() && line[at] == '"') {
      auto cell = read_quoted(line, at);
      if (!cell) return cell.error();
      cells.push_back(std::move(cell).value());
      if (at < line.size() && line[at] != ',')
        return invalid("'{}' stands behind a closing quote", line[at]);
    } else {
      const std::size_t comma = std::min(line.find(',', at), line.size());
      cells.emplace_back(line.substr(at, comma - at));
      if (cells.back().find('"') != std::string::npos)
        return invalid("a quote stands inside of the cell '{}'", cells.back());
      at = comma;
    }
    if (at >= line.size()) return cells;
  }
}

CellFinder::CellFinder(std::vector<std::size_t> wanted, std::size_t columns)
    : wanted_(std::move(wanted)), columns_(columns), cells_(wanted_.size()) {
  assert(!wanted_.empty() && wanted_.back() < columns_ && std::ranges::is_sorted(wanted_));
}

Result<std::span<const std::string_view>> CellFinder::find(std::string_view line) {
  if (std::memchr(line.data(), '"', line.size()) != nullptr) return find_quoted(line);
  const std::size_t commas = count_byte(line, ',');
  if (commas + 1 != columns_) return wrong_count(commas + 1, columns_);
  const char* at = line.data();
  const char* const end = line.data() + line.size();
  std::size_t column = 0;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    for (; column < wanted_[i]; ++at) column += *at == ',';
    const char* const begin = at;
    while (at != end && *at != ',') ++at;
    cells_[i] = {begin, static_cast<std::size_t>(at - begin)};
  }
  return std::span<const std::string_view>(cells_);
}

Result<std::span<const std::string_view>> CellFinder::find_quoted(std::string_view line) {
  auto cells = split_cells(line);
  if (!cells) return cells.error();
  if (cells->size() != columns_) return wrong_count(cells->size(), columns_);
  unquoted_ = std::move(cells).value();
  for (std::size_t i = 0; i < wanted_.size(); ++i) cells_[i] = unquoted_[wanted_[i]];
  return std::span<const std::string_view>(cells_);
}

}  // namespace phe::logs
