// log_run: a run of an experiment whose every decision is written to a log.
#pragma once

#include "logs/log_writer.hpp"
#include "phe/simulate.hpp"

namespace phe::logs {

struct LoggedRun {
  double reward = 0.0;  // sum over the rounds
  double regret = 0.0;  // pseudo-regret, as simulate has it
  std::uint64_t capped = 0;
};

// The same bandit and the same stream of randomness as Plan::run, but the policy says its
// probabilities: `decide` in place of `select`.
Result<LoggedRun> log_run(const Plan& plan, RunId id, const DecideOptions& options,
                          LogWriter& writer);

// "draws=16,floor=0.05,resample=1000".
Result<DecideOptions> parse_decide(std::string_view text);

}  // namespace phe::logs
