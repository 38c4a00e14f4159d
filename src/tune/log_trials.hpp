// LogTrials: policies tried on a log, as phe tune asks for them.
//
// The log is divided in time: the first three fifths of its rows are for tuning, the rest for the
// final comparison. An instance is a random half of the rows of its part (Replicates::halves), the
// same for all policies. Two kinds of objective:
//
//   replay       the mean reward of a policy that learns as it goes, on the rows of the half
//   an estimate  (ips, snips, dr ..) of a policy that has learnt a half of the tuning rows and
//                learns no more; on the other half, or in the end on a half of the final rows
//
// A trial's loss is minus that reward.
#pragma once

#include <memory>
#include <string>

#include "logs/evaluate.hpp"
#include "logs/kept_log.hpp"
#include "logs/log_rounds.hpp"
#include "phe/registry.hpp"
#include "phe/simulate.hpp"

namespace phe::tune {

struct LogObjective {
  std::string name = "replay";           // or an estimator of phe evaluate
  logs::EvaluateOptions estimates = {};  // how to estimate
  std::uint64_t draws = 16;              // models for each row, where probabilities are shares
};

// What may be asked for: "replay, ips, ..".
Result<void> check_objective(const std::string& name);

// Immutable, so thread-safe. What problem() returns must not outlive it.
class LogTrials {
 public:
  // `arms_file`: features of fixed arms, or empty. Reads the log into memory.
  static Result<LogTrials> read(logs::Log log, const std::string& arms_file,
                                LogObjective objective);

  // The log as a problem of a plan: it says what a policy may know before, and cannot be played.
  // `identity` names it: equal for equal logs and objectives.
  [[nodiscard]] ProblemEntry problem(const std::string& identity) const;
  // Does runs of a plan of that problem: the contract of phe::simulate.
  Result<void> simulate(const Plan& plan, const std::vector<RunId>& runs,
                        const SimulateOptions& options) const;

  // Of the final comparison: what to distrust of a policy's estimate.
  [[nodiscard]] Result<std::vector<std::string>> warnings(const std::string& policy,
                                                          std::uint64_t rounds,
                                                          std::uint64_t seed) const;

  [[nodiscard]] const LogObjective& objective() const noexcept { return objective_; }
  [[nodiscard]] const logs::KeptLog& log() const noexcept { return *log_; }
  [[nodiscard]] std::size_t final_rows() const noexcept { return log_->size() - first_final_row_; }

 private:
  struct Trial {
    std::string policy;
    std::uint64_t rounds = 0;
    std::uint64_t seed = 0;  // of what the policy draws
    std::function<bool(std::size_t row)> learns, counts;
  };
  struct Outcome {
    double value = 0.0;
    std::vector<std::string> warnings = {};
  };
  LogTrials(logs::KeptLog log, logs::LogShape shape, LogObjective objective);

  [[nodiscard]] Trial trial_of(const Plan& plan, const RunId& id) const;
  [[nodiscard]] Result<Outcome> replayed(const Trial& trial) const;
  [[nodiscard]] Result<Outcome> estimated(const Trial& trial) const;
  [[nodiscard]] Result<Outcome> outcome(const Trial& trial) const;

  std::shared_ptr<const logs::KeptLog> log_;
  logs::LogShape shape_;
  LogObjective objective_;
  std::size_t first_final_row_;
};

}  // namespace phe::tune
