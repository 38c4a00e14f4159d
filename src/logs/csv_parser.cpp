// Logs as comma-separated values under a header line.
#include "logs/csv_cells.hpp"
#include "logs/csv_header.hpp"
#include "logs/fields.hpp"
#include "logs/line_parser.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::logs {

namespace {

using Cells = std::span<const std::string_view>;

// Actions, clicks and positions: 0 to 9999, which is most of a log. Nothing for all other texts.
std::optional<double> small_count(std::string_view cell) {
  if (cell.empty() || cell.size() > 4) return std::nullopt;
  unsigned value = 0;
  for (const char c : cell) {
    const auto digit = static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
    if (digit > 9) return std::nullopt;
    value = 10 * value + digit;
  }
  return value;
}

Result<double> number(std::string_view cell, std::string_view what) {
  if (const auto value = small_count(cell)) return *value;
  if (const auto value = parse_number<double>(cell)) return *value;
  const std::string_view text = trim(cell);
  if (text.empty()) return invalid("{} is missing", what);
  if (const auto value = parse_number<double>(text)) return *value;
  return invalid("{} must be a number, got '{}'", what, text);
}

class CsvParser final : public LineParser {
 public:
  CsvParser(CsvHeader header, std::size_t actions)
      : header_(std::move(header)),
        finder_(header_.wanted, header_.columns),
        actions_(actions),
        probabilities_(header_.probabilities.size()),
        target_(header_.target.size()),
        features_(header_.features.size()) {}

  Result<LineKind> parse(std::string_view line, Decision& decision) override {
    if (line.empty()) return LineKind::blank;
    const auto cells = finder_.find(line);
    if (!cells) return cells.error();
    if (auto done = read(cells.value(), decision); !done) return done.error();
    return LineKind::decision;
  }

  [[nodiscard]] const std::vector<std::string>& feature_names() const override {
    return header_.feature_names;
  }

 private:
  // Reads one cell and hands its number to `set`.
  template <class Set>
  static Result<void> read_cell(Cells cells, std::optional<std::size_t> place,
                                std::string_view what, Set set) {
    if (!place) return {};
    const auto value = number(cells[*place], what);
    if (!value) return value.error();
    return set(value.value());
  }

  Result<void> read(Cells cells, Decision& d) {
    d.actions = actions_;
    if (auto done = read_cell(cells, header_.actions, "actions",
                              [&](double x) { return set_actions(x, d); });
        !done)
      return done;
    if (auto done = read_cell(cells, header_.action, "action",
                              [&](double x) { return set_action(x, 0, d); });
        !done)
      return done;
    if (auto done =
            read_cell(cells, header_.reward, "reward", [&](double x) { return set_reward(x, d); });
        !done)
      return done;
    if (auto done = read_cell(cells, header_.propensity, "propensity",
                              [&](double x) { return set_propensity(x, d); });
        !done)
      return done;
    if (auto done = read_cell(cells, header_.position, "position",
                              [&](double x) { return set_slot(x, d); });
        !done)
      return done;
    for (std::size_t i = 0; i < features_.size(); ++i) features_[i] = cells[header_.features[i]];
    d.features = features_;
    return read_laws(cells, d);
  }

  Result<void> read_laws(Cells cells, Decision& d) {
    if (!probabilities_.empty()) {
      auto done = read_list(cells, header_.probabilities, "probabilities", probabilities_);
      if (done) done = set_probabilities(probabilities_, d);
      if (!done) return done;
    }
    if (target_.empty()) return {};
    if (auto done = read_list(cells, header_.target, "the target's probability", target_); !done)
      return done;
    return set_target(target_, d);
  }

  static Result<void> read_list(Cells cells, const std::vector<std::size_t>& places,
                                std::string_view what, std::vector<double>& into) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto value = number(cells[places[i]], what);
      if (!value) return value.error();
      into[i] = value.value();
    }
    return {};
  }

  CsvHeader header_;
  CellFinder finder_;
  std::size_t actions_;
  std::vector<double> probabilities_;
  std::vector<double> target_;
  std::vector<std::string_view> features_;
};

}  // namespace

Result<std::unique_ptr<LineParser>> make_csv_parser(std::string_view header,
                                                    const LogOptions& options) {
  if (header.starts_with("\xef\xbb\xbf")) header.remove_prefix(3);  // a mark of UTF-8
  auto names = split_cells(header);
  if (!names) return names.error();
  for (std::string& name : names.value()) name = std::string(trim(name));
  auto columns = read_header(names.value(), options);
  if (!columns) return columns.error();
  return std::unique_ptr<LineParser>(
      std::make_unique<CsvParser>(std::move(columns).value(), options.actions));
}

}  // namespace phe::logs
