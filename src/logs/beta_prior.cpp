// A table of Beta parameters as the policy that Thompson sampling makes of it.
#include <algorithm>

#include "logs/csv_cells.hpp"
#include "logs/line_reader.hpp"
#include "logs/target.hpp"
#include "logs/thompson_ranks.hpp"
#include "spec/nearest.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::logs {

namespace {

constexpr std::size_t most_ranks = 16;

Result<std::size_t> column_called(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end())
    return invalid("no column is called '{}'{} (columns: {})", name, suggestion(name, header),
                   fmt::join(header, ", "));
  return static_cast<std::size_t>(found - header.begin());
}

// A table of Beta parameters as it is written, and which of its rows count.
class PriorFile {
 public:
  static Result<PriorFile> open(const std::vector<std::string>& header,
                                const std::string& action_column, std::string_view filter) {
    PriorFile file;
    for (const auto& [name, place] :
         {std::pair{action_column, &file.action_}, std::pair{std::string("alpha"), &file.alpha_},
          std::pair{std::string("beta"), &file.beta_}}) {
      const auto column = column_called(header, name);
      if (!column) return column.error();
      *place = column.value();
    }
    if (filter.empty()) return file;
    const std::size_t equals = std::min(filter.find('='), filter.size());
    const auto column = column_called(header, std::string(filter.substr(0, equals)));
    if (!column) return column.error();
    file.filter_ = column.value();
    file.value_ = filter.substr(std::min(equals + 1, filter.size()));
    return file;
  }

  Result<void> add(const std::vector<std::string>& cells) {
    if (cells.size() <= std::max({action_, alpha_, beta_, filter_.value_or(0)}))
      return invalid("has only {} cells", cells.size());
    if (filter_ && cells[*filter_] != value_) return {};
    const auto action = parse_number<std::size_t>(cells[action_]);
    const auto alpha = parse_number<double>(cells[alpha_]);
    const auto beta = parse_number<double>(cells[beta_]);
    if (!action || !alpha || !beta)
      return invalid("expected an action, alpha and beta, got '{}', '{}', '{}'", cells[action_],
                     cells[alpha_], cells[beta_]);
    if (*action != arms_.size())
      return invalid("actions must come in order from 0, each once: expected {}, got {}",
                     arms_.size(), *action);
    arms_.push_back({*alpha, *beta});
    return {};
  }

  [[nodiscard]] const std::vector<BetaParameters>& arms() const { return arms_; }

 private:
  std::size_t action_ = 0;
  std::size_t alpha_ = 0;
  std::size_t beta_ = 0;
  std::optional<std::size_t> filter_;
  std::string value_;
  std::vector<BetaParameters> arms_;
};

Result<std::vector<std::string>> next_cells(LineReader& reader, bool& at_end) {
  const auto line = reader.next();
  if (!line) return line.error();
  at_end = !line.value();
  if (at_end) return std::vector<std::string>{};
  auto cells = split_cells(*line.value());
  if (!cells)
    return invalid("{}, line {}: {}", reader.file(), reader.line_number(), cells.error().message);
  return cells;
}

Result<std::vector<BetaParameters>> read_prior(const std::string& file_and_filter,
                                               const std::string& action_column) {
  const std::size_t comma = std::min(file_and_filter.find(','), file_and_filter.size());
  const std::string name = file_and_filter.substr(0, comma);
  const std::string_view filter =
      std::string_view(file_and_filter).substr(std::min(comma + 1, file_and_filter.size()));
  auto reader = LineReader::open(name);
  if (!reader) return reader.error();
  bool at_end = false;
  const auto header = next_cells(reader.value(), at_end);
  if (!header) return header.error();
  auto file = PriorFile::open(header.value(), action_column, filter);
  if (!file) return invalid("{}: {}", name, file.error().message);
  for (;;) {
    const auto cells = next_cells(reader.value(), at_end);
    if (!cells) return cells.error();
    if (at_end) break;
    if (cells->size() == 1 && cells->front().empty()) continue;
    if (auto done = file->add(cells.value()); !done)
      return invalid("{}, line {}: {}", name, reader->line_number(), done.error().message);
  }
  if (file->arms().empty())
    return invalid("{}: no row{}", name, filter.empty() ? "" : fmt::format(" has {}", filter));
  return file->arms();
}

}  // namespace

Result<SlotTable> beta_prior_table(const std::string& file_and_filter,
                                   const std::string& action_column) {
  const auto arms = read_prior(file_and_filter, action_column);
  if (!arms) return arms.error();
  auto ranks = thompson_ranks(arms.value(), std::min(arms->size(), most_ranks));
  if (!ranks) return invalid("{}: {}", file_and_filter, ranks.error().message);
  SlotTable table = {ranks->front()};
  for (auto& row : ranks.value()) table.push_back(std::move(row));
  return table;
}

}  // namespace phe::logs
