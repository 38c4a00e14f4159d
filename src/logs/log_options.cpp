#include "logs/log_options.hpp"

#include <algorithm>

#include "spec/nearest.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::logs {

namespace {

const std::vector<std::string> parts = {"action",  "reward",        "propensity", "position",
                                        "actions", "probabilities", "features"};

Result<void> set_column(ColumnNames& columns, std::string_view part, std::string name) {
  if (part == "action")
    columns.action = std::move(name);
  else if (part == "reward")
    columns.reward = std::move(name);
  else if (part == "propensity")
    columns.propensity = std::move(name);
  else if (part == "position")
    columns.position = std::move(name);
  else if (part == "actions")
    columns.actions = std::move(name);
  else if (part == "probabilities")
    columns.probabilities = std::move(name);
  else if (part == "features")
    columns.features.push_back(std::move(name));
  else
    return invalid("--columns: nothing is called '{}'{} (one of {})", part, suggestion(part, parts),
                   fmt::join(parts, ", "));
  return {};
}

}  // namespace

Result<ColumnNames> parse_columns(std::string_view text) {
  ColumnNames columns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view pair = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals + 1 == pair.size())
      return invalid("--columns must be a list such as action=item_id,reward=click, got '{}'",
                     pair);
    if (auto done =
            set_column(columns, pair.substr(0, equals), std::string(pair.substr(equals + 1)));
        !done)
      return done.error();
  }
  return columns;
}

Result<LogFormat> parse_format(std::string_view text) {
  if (text == "jsonl") return LogFormat::json_lines;
  if (text == "csv") return LogFormat::csv;
  if (text == "dsjson") return LogFormat::dsjson;
  return invalid("--format must be jsonl, csv or dsjson, got '{}'", text);
}

Result<LogFormat> format_of(std::string_view file) {
  std::string_view name = file;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  for (const std::string_view ending : {"jsonl", "csv", "dsjson"})
    if (name.ends_with(ending) && name.size() > ending.size() &&
        name[name.size() - ending.size() - 1] == '.')
      return parse_format(ending);
  return invalid("{}: what it is written in cannot be told from its name; give --format", file);
}

bool matches(std::string_view wanted, std::string_view name) {
  if (!wanted.ends_with('*')) return name == wanted;
  return name.starts_with(wanted.substr(0, wanted.size() - 1));
}

}  // namespace phe::logs
