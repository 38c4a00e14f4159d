// How a log is written, and what to do with lines that cannot be read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe::logs {

enum class LogFormat { json_lines, csv, dsjson };

// Where a Decision's parts stand: columns of a CSV file, keys of a JSON object.
struct ColumnNames {
  std::string action = "action";
  std::string reward = "reward";
  std::string propensity = "propensity";
  std::optional<std::string> position;       // unset: "position" where the log has it
  std::optional<std::string> actions;        // unset: "actions" where the log has it
  std::optional<std::string> probabilities;  // unset: "probabilities" where the log has it
  // Columns by name, or by prefix: "user_feature_*". In JSON Lines: keys of the object "features".
  std::vector<std::string> features;
};

struct LogOptions {
  std::optional<LogFormat> format;  // unset: by the name of each file
  ColumnNames columns;
  std::size_t actions = 0;  // how many there are; 0: the log says it, or nobody
  std::string target_column = {};
  bool want_features = false;
  bool want_numbers = false;  // Decision::context and action_features
  bool skip_bad_lines = false;
};

// "action=item_id,reward=click,features=user_feature_*".
Result<ColumnNames> parse_columns(std::string_view text);
Result<LogFormat> parse_format(std::string_view text);
// By what the name ends in: .jsonl, .csv, .dsjson, each also with .gz behind it.
Result<LogFormat> format_of(std::string_view file);

// Whether `name` is what was asked for, or begins with what stands before its '*'.
bool matches(std::string_view wanted, std::string_view name);

}  // namespace phe::logs
