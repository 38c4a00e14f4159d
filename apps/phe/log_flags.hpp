// Flags that name a log and say how it is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "logs/read_log.hpp"
#include <phe/policy.hpp>

namespace phe::app {

struct LogFlags {
  std::vector<std::string> files;
  std::optional<std::string> format, columns, actions, bad_lines, rewards;

  void add_to(CLI::App& command);
  // All but the files themselves.
  void add_format_to(CLI::App& command);
};

Result<logs::Log> log_from(const LogFlags& flags);
// 0 to 1 where nothing is said.
Result<RewardRange> rewards_from(const LogFlags& flags);
// On standard error: which lines are left out.
void tell_skipped(const logs::ReadCounts& lines);

// Sets `into` if the flag was given.
Result<void> read_positive(const char* flag, const std::optional<std::string>& text, double& into);

}  // namespace phe::app
