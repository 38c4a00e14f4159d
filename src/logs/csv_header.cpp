#include "logs/csv_header.hpp"

#include <algorithm>

#include "spec/nearest.hpp"
#include "support/error.hpp"

namespace phe::logs {

namespace {

using Names = std::vector<std::string>;

std::string shown(const Names& names) {
  const auto some = std::min<std::ptrdiff_t>(std::ssize(names), 12);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + some, ", "),
                     some < std::ssize(names) ? ", .." : "");
}

// Columns by name, or all whose names begin with what stands before a '*'. At least one.
Result<std::vector<std::size_t>> all_columns(const Names& names, std::string_view part,
                                             const std::string& wanted) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (matches(wanted, names[i])) found.push_back(i);
  if (!found.empty()) return found;
  return invalid("no column is called '{}' for {}{} (columns: {})", wanted, part,
                 suggestion(wanted, names), shown(names));
}

Result<std::size_t> one(const Names& names, std::string_view part, const std::string& wanted) {
  const auto found = all_columns(names, part, wanted);
  if (!found) return found.error();
  if (found->size() > 1)
    return invalid("{} columns are called '{}', but {} is one column", found->size(), wanted, part);
  return found->front();
}

// Without a name it is the column that is called as the part itself, if there is one.
Result<std::vector<std::size_t>> any(const Names& names, const std::string& part,
                                     const std::optional<std::string>& wanted) {
  if (wanted) return all_columns(names, part, *wanted);
  if (std::ranges::find(names, part) == names.end()) return std::vector<std::size_t>{};
  return all_columns(names, part, part);
}

// Numbers of columns become places in the ascending list of all that are wanted.
void number_by_place(CsvHeader& header, std::vector<std::size_t*> places) {
  for (const std::size_t* place : places) header.wanted.push_back(*place);
  std::ranges::sort(header.wanted);
  header.wanted.erase(std::unique(header.wanted.begin(), header.wanted.end()), header.wanted.end());
  for (std::size_t* place : places)
    *place = static_cast<std::size_t>(std::ranges::lower_bound(header.wanted, *place) -
                                      header.wanted.begin());
}

Result<void> find_parts(const Names& names, const LogOptions& options, CsvHeader& header) {
  const ColumnNames& columns = options.columns;
  const auto set_one = [&](std::string_view part, const std::string& wanted,
                           std::size_t& into) -> Result<void> {
    const auto found = one(names, part, wanted);
    if (!found) return found.error();
    into = found.value();
    return {};
  };
  const auto set_any = [&](const std::string& part, const std::optional<std::string>& wanted,
                           std::vector<std::size_t>& into) -> Result<void> {
    auto found = any(names, part, wanted);
    if (!found) return found.error();
    into.insert(into.end(), found->begin(), found->end());
    return {};
  };
  std::vector<std::size_t> position;
  std::vector<std::size_t> actions;
  std::optional<std::string> target;
  if (!options.target_column.empty()) target = options.target_column;
  for (auto& done : {set_one("action", columns.action, header.action),
                     set_one("reward", columns.reward, header.reward),
                     set_one("propensity", columns.propensity, header.propensity),
                     set_any("position", columns.position, position),
                     set_any("actions", columns.actions, actions),
                     set_any("probabilities", columns.probabilities, header.probabilities)})
    if (!done) return done.error();
  if (target)
    if (auto done = set_any("the target", target, header.target); !done) return done.error();
  if (!position.empty()) header.position = position.front();
  if (!actions.empty()) header.actions = actions.front();
  if (!options.want_features) return {};
  for (const std::string& feature : columns.features)
    if (auto done = set_any("features", feature, header.features); !done) return done.error();
  return {};
}

}  // namespace

Result<CsvHeader> read_header(const std::vector<std::string>& names, const LogOptions& options) {
  CsvHeader header;
  header.columns = names.size();
  if (auto done = find_parts(names, options, header); !done) return done.error();
  for (const std::size_t column : header.features) header.feature_names.push_back(names[column]);
  std::vector<std::size_t*> places = {&header.action, &header.reward, &header.propensity};
  if (header.position) places.push_back(&*header.position);
  if (header.actions) places.push_back(&*header.actions);
  for (auto* list : {&header.probabilities, &header.target, &header.features})
    for (std::size_t& place : *list) places.push_back(&place);
  number_by_place(header, std::move(places));
  return header;
}

}  // namespace phe::logs
