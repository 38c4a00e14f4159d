// replay: what a policy that learns would have earned, by playing it on a log (Li et al. 2011).
//
// At each row the policy chooses, having learnt the rows accepted so far; where its choice is what
// was logged, the row counts and is learnt, else it is thrown away. That is right for a log whose
// actions were taken with equal probability. Of any other log a row is first kept with probability
// c / p, c the smallest p that counts: what is kept is such a log.
#pragma once

#include <optional>

#include "logs/evaluate.hpp"
#include "logs/learnt_policy.hpp"

namespace phe::logs {

struct ReplayOptions {
  double confidence = 0.95;
  std::uint64_t seed = 1;
  // Rows with 1 / p above this are kept for certain, with a bias; unset: the largest of the log.
  std::optional<double> largest_weight;
};

struct Replay {
  ReadCounts lines;
  std::uint64_t rows = 0;
  std::uint64_t kept = 0;      // by rejection; all rows of a uniform log
  std::uint64_t accepted = 0;  // chosen by the policy as well
  std::uint64_t cut = 0;       // rows with 1 / p above the largest weight
  double smallest_propensity = 1.0;
  bool uniform = true;  // all propensities are equal
  double reward_sum = 0.0;
  Estimate logged;            // the mean reward of the log itself
  Estimate estimate;          // "replay"
  std::string last_accepted;  // file and line
  std::vector<std::string> warnings;
};

// Two passes: the smallest propensity, then the rounds.
Result<Replay> replay(const ReadDecisions& read, LearntPolicy& learner,
                      const ReplayOptions& options);
// Of files.
Result<Replay> replay(const Log& log, LearntPolicy& learner, const ReplayOptions& options);

}  // namespace phe::logs
