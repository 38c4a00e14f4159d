// read_log: every decision of a log of one or more files, in order, in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "logs/decision.hpp"
#include "logs/log_options.hpp"
#include "phe/result.hpp"

namespace phe::logs {

struct Log {
  std::vector<std::string> files;
  LogOptions options;

  // The number that the log gives to its first action: 1 in dsjson, else 0.
  [[nodiscard]] Result<std::size_t> first_action() const;
};

// What became of the lines.
struct ReadCounts {
  std::uint64_t decisions = 0;
  std::uint64_t bad = 0;
  std::uint64_t dangling = 0;          // late rewards without their decision: skipped
  std::uint64_t deferred = 0;          // decisions that never took effect: skipped
  std::vector<std::string> bad_lines;  // the first few: "FILE, line N: what"
  std::vector<std::string> feature_names;
};

// Hands every decision to `take`. A line that cannot be understood, or that `take` answers with an
// error (it must then leave no trace), is bad: it ends the reading with an error that names file,
// line and reason, or is counted and skipped, as the log's options say. A file that cannot be read
// ends it always, and so does a log without any decision.
using TakeDecision = std::function<Result<void>(const Decision&)>;
Result<ReadCounts> read_log(const Log& log, const TakeDecision& take);

// One pass over decisions, wherever they are, with the contract of read_log.
using ReadDecisions = std::function<Result<ReadCounts>(const TakeDecision& take)>;
// Of files. The log must outlive it.
ReadDecisions decisions_of(const Log& log);

}  // namespace phe::logs
