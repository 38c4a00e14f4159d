// evaluate: what a target policy would have earned on a log, and how sure that is.
//
// One pass over the log gives IPS, clipped and SNIPS with their errors, whatever its size. A reward
// model takes a pass more (table) or two (ridge). The bootstrap and the betting interval keep
// columns of every row in memory, 16 to 72 bytes a row.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "logs/estimators.hpp"
#include "logs/intervals.hpp"
#include "logs/read_log.hpp"
#include "logs/reward_model.hpp"
#include "logs/target.hpp"
#include "phe/result.hpp"

namespace phe::logs {

enum class ModelKind { none, table, ridge };

struct EvaluateOptions {
  WeightLimits limits;
  double confidence = 0.95;
  // Unset: a table, where the target gives the probabilities of all actions.
  std::optional<ModelKind> model;
  Folds folds;
  double ridge = 1.0;
  Bounds rewards;  // what a reward can be, for Bernstein and betting
  // No weight can be larger, for the same; unset: known from the log, or the largest one seen.
  std::optional<double> largest_weight;
  // Unset: as long as the log has at most most_kept_rows rows.
  std::optional<bool> betting;
  std::uint64_t resamples = 0;  // of the bootstrap; 0: none
  std::uint64_t seed = 1;

  static constexpr std::uint64_t most_kept_rows = std::uint64_t{1} << 22;
};

struct NamedInterval {
  std::string_view name;
  Interval interval;
};

struct Estimate {
  std::string_view estimator;
  double value = 0.0;
  double standard_error = 0.0;
  std::vector<NamedInterval> intervals = {};
};

struct Diagnostics {
  std::uint64_t rows = 0;
  double mean_weight = 0.0;
  double mean_weight_error = 0.0;
  double largest_weight = 0.0;
  double effective_rows = 0.0;  // (sum w)^2 / sum w^2
  std::uint64_t over_clip = 0;
  // Rows on which the target may choose what the log's policy could not; unset where the log does
  // not have the probabilities of all actions.
  std::optional<std::uint64_t> support_violations;
};

// The whole log, or one slot of it.
struct Part {
  std::size_t slot = 0;  // 0: all
  Diagnostics diagnostics;
  Estimate logged;  // the mean reward of the log itself
  std::vector<Estimate> estimates;
};

struct Evaluation {
  Part whole;
  std::vector<Part> slots;  // none where the log has none
  ReadCounts lines;
  double largest_possible_weight = 0.0;
  bool largest_weight_is_known = false;  // and not just the largest that was seen
  std::vector<std::string> warnings;
};

// `read` is called once per pass.
Result<Evaluation> evaluate(const ReadDecisions& read, Target& target,
                            const EvaluateOptions& options);
// Of files.
Result<Evaluation> evaluate(const Log& log, Target& target, const EvaluateOptions& options);

}  // namespace phe::logs
