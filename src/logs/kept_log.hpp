// KeptLog: a log in memory, for those who go through it, or parts of it, many times.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "logs/read_log.hpp"

namespace phe::logs {

class KeptLog {
 public:
  static Result<KeptLog> read(const Log& log);

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  // What became of the lines of the files.
  [[nodiscard]] const ReadCounts& lines() const noexcept { return lines_; }

  // A pass over the rows (from 0) that `wanted` takes, in order. The log must outlive it.
  [[nodiscard]] ReadDecisions rows(std::function<bool(std::size_t row)> wanted) const;

 private:
  // Where the numbers of a row begin; they end where those of the next one do.
  struct Row {
    Decision plain;  // without what it points to, but for the file
    std::size_t probabilities = 0, target = 0, context = 0, action_features = 0, features = 0;
  };
  void keep(const Decision& decision);
  std::string_view interned(std::string_view text);
  [[nodiscard]] Decision decision(std::size_t row) const;

  std::vector<Row> rows_;
  std::vector<double> numbers_;
  std::vector<std::string_view> features_;
  std::unordered_set<std::string> words_;  // its strings stay where they are
  ReadCounts lines_;
};

}  // namespace phe::logs
