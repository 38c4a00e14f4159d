// Which column of a CSV log holds what, from its header line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "logs/log_options.hpp"
#include "phe/result.hpp"

namespace phe::logs {

struct CsvHeader {
  std::size_t columns = 0;          // of the file
  std::vector<std::size_t> wanted;  // columns to read, ascending, each once

  // Of the following, each number is an index into `wanted`.
  std::size_t action = 0;
  std::size_t reward = 0;
  std::size_t propensity = 0;
  std::optional<std::size_t> position;
  std::optional<std::size_t> actions;
  std::vector<std::size_t> probabilities;  // by action
  std::vector<std::size_t> target;         // one, or by action
  std::vector<std::size_t> features;
  std::vector<std::string> feature_names;
};

// An error names the column that is missing, the nearest name, and those there are.
Result<CsvHeader> read_header(const std::vector<std::string>& names, const LogOptions& options);

}  // namespace phe::logs
