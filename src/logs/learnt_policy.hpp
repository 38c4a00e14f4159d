// A policy that was learnt from a log: its state in FILE, as every policy's (docs/state.md), and
// beside it FILE.json, which says what it is and how rows of a log become its rounds.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "logs/log_rounds.hpp"

namespace phe::logs {

struct LearntPolicy {
  std::string spec;
  std::uint64_t rounds = 0;  // the horizon that it was made for
  LogRounds log_rounds;
  std::unique_ptr<Policy> policy;

  // A policy that knows nothing yet.
  static Result<LearntPolicy> make(const std::string& spec, std::uint64_t rounds, LogShape shape);
  static Result<LearntPolicy> load(const std::string& file);
  // Both files, each as a whole or not at all.
  [[nodiscard]] Result<void> save(const std::string& file) const;
};

struct LearnOptions {
  std::optional<double> largest_weight;  // rows weigh 1 / p, at most this; unset: all weigh 1
};

struct Learnt {
  ReadCounts lines;
  double weight = 0.0;    // of all rows
  std::uint64_t cut = 0;  // rows whose weight was cut
};

// Every row of the log, in order, as if the policy had chosen it.
Result<Learnt> learn(const ReadDecisions& read, LearntPolicy& learner, const LearnOptions& options);
// Of files.
Result<Learnt> learn(const Log& log, LearntPolicy& learner, const LearnOptions& options);

}  // namespace phe::logs
