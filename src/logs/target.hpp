// Target: the policy whose value is asked for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logs/decision.hpp"
#include "logs/read_log.hpp"
#include "phe/result.hpp"

namespace phe::logs {

class Target {
 public:
  virtual ~Target() = default;

  // P(the logged action). An error when the target cannot tell for this decision.
  [[nodiscard]] virtual Result<double> probability(const Decision& decision) const = 0;
  // P(each action), valid until the next call; empty when only that of the logged action is known.
  [[nodiscard]] virtual Result<std::span<const double>> probabilities(const Decision& decision) = 0;
  // No probability is larger, on any page; nothing where that is not known.
  [[nodiscard]] virtual std::optional<double> largest_probability() const = 0;
};

// Slots and actions with a probability each: rows[slot][action], rows[0] where there are no slots.
// A row without entries is a slot that the target does not know.
using SlotTable = std::vector<std::vector<double>>;

// actions: how many there are on every page; 0 where each decision says it.
std::unique_ptr<Target> make_uniform_target(std::size_t actions);
// Reads Decision::target, which the log's target_column fills.
std::unique_ptr<Target> make_column_target();
std::unique_ptr<Target> make_always_target(std::size_t action);
std::unique_ptr<Target> make_table_target(SlotTable table);

// How often each action was chosen in each slot of a log.
Result<SlotTable> action_frequencies(const Log& log);
// The exact rank probabilities of a table of Beta parameters: slot k is rank k, a log without slots
// has rank 1. CSV with the columns `action_column`, alpha and beta; of other columns one may pick
// the rows: "prior.csv,campaign=men".
Result<SlotTable> beta_prior_table(const std::string& file_and_filter,
                                   const std::string& action_column);

// "uniform", "column=NAME", "always=ACTION", "frequencies=FILE" or
// "beta-prior=FILE[,COLUMN=VALUE]". A column is noted in the log's options.
Result<std::unique_ptr<Target>> make_target(std::string_view text, Log& log);

}  // namespace phe::logs
