#include "phe/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "support/archive.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr std::string_view header = "phe-history 1";
// 1.6 GB of statistics: a larger count in a file is taken for damage.
constexpr std::size_t most_rows = 100'000'000;

// Takes one line, and one word of a line.
std::string_view take(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return part;
}

std::optional<std::uint64_t> value_after(std::string_view line, std::string_view word) {
  if (take(line, ' ') != word) return std::nullopt;
  return parse_number<std::uint64_t>(line);
}

}  // namespace

Result<void> History::merge(const History& other) {
  if (other.rows() != rows())
    return invalid("history: cannot merge {} rows into {}", other.rows(), rows());
  for (ArmId row = 0; row < rows(); ++row) add(row, other.reward_sums_[row], other.pulls_[row]);
  return {};
}

std::string History::to_text() const {
  std::string text = fmt::format("{}\nrows {}\n", header, rows());
  std::size_t records = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    if (pulls_[row] == 0) continue;
    text += fmt::format("{} {} {}\n", row, pulls_[row], reward_sums_[row]);
    ++records;
  }
  return text + fmt::format("end {}\n", records);
}

Result<History> History::from_text(std::string_view text) {
  if (take(text, '\n') != header) return invalid("history: line 1: expected '{}'", header);
  const auto rows = value_after(take(text, '\n'), "rows");
  if (!rows || *rows > most_rows)
    return invalid("history: line 2: expected 'rows' and a count up to {}", most_rows);
  History history(*rows);
  for (std::size_t number = 3; !text.empty(); ++number) {
    std::string_view line = take(text, '\n');
    if (line.starts_with("end")) {
      if (value_after(line, "end") != number - 3 || !text.empty())
        return invalid("history: line {}: expected 'end {}' as the last line", number, number - 3);
      return history;
    }
    const auto row = parse_number<std::uint64_t>(take(line, ' '));
    const auto pulls = parse_number<std::uint64_t>(take(line, ' '));
    const auto sum = parse_number<double>(line);
    if (!row || *row >= *rows || !pulls || *pulls == 0 || !sum || !std::isfinite(*sum))
      return invalid("history: line {}: expected a row below {}, its pulls and its reward sum",
                     number, *rows);
    if (history.pulls_[*row] != 0)
      return invalid("history: line {}: row {} stands twice", number, *row);
    if (*pulls > std::numeric_limits<std::uint64_t>::max() / 2 - history.total_pulls_)
      return invalid("history: line {}: too many pulls, {}", number, *pulls);
    history.add(static_cast<ArmId>(*row), *sum, *pulls);
  }
  return invalid("history: the file ends before its 'end' line");
}

Result<void> History::save(const std::filesystem::path& file) const {
  return write_file(file, to_text());
}

Result<History> History::load(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  auto history = from_text(text.value());
  if (!history) return invalid("{}: {}", file.string(), history.error().message);
  return history;
}

void History::persist(Archive& archive) {
  archive.fixed(pulls_);
  archive.fixed(reward_sums_);
  archive(total_pulls_);
}

}  // namespace phe
