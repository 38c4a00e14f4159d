// LogRounds: the rows of a log as rounds of a policy.
//
// What a policy is offered in a row depends on what the log holds: features of each action, one
// context for all (numbers as they are, or features that are encoded), or nothing: then its actions
// are fixed arms.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "logs/feature_encoding.hpp"
#include "logs/read_log.hpp"
#include "phe/registry.hpp"
#include "record/experiment_json.hpp"

namespace phe::logs {

enum class OfferKind { arms, context, encoded, action_features };

// What must be known of a log before a policy can be made for it.
struct LogShape {
  OfferKind kind = OfferKind::arms;
  std::size_t actions = 0;
  std::size_t dimension = 0;
  bool binary = true;  // rewards are only ever the two ends of the range
  RewardRange rewards = {};
  std::string arms_file;  // features of fixed arms, CSV; empty: arms have only their numbers
  FeatureEncoding encoding = {};

  // How the policy's file says it.
  [[nodiscard]] Json json() const;
  static Result<LogShape> from_json(const Json& json);
};

// One pass over the log. `rewards`: their range.
Result<LogShape> survey(const Log& log, const std::string& arms_file, RewardRange rewards);

class LogRounds {
 public:
  static Result<LogRounds> create(LogShape shape);

  [[nodiscard]] PolicyContext context(std::uint64_t rounds) const;
  [[nodiscard]] const LogShape& shape() const noexcept { return shape_; }

  // What the policy would choose in this row. Refused: a row that offers something else.
  Result<std::size_t> select(Policy& policy, const Decision& row, Rng& rng);
  Result<void> decide(Policy& policy, const Decision& row, Rng& rng, const DecideOptions& options,
                      phe::Decision& decision);
  // Learns the row: its action paid its reward.
  Result<void> update(Policy& policy, const Decision& row);

 private:
  LogRounds(LogShape shape, Arms arms);
  Result<void> check(const Decision& row) const;
  [[nodiscard]] std::size_t actions_of(const Decision& row) const;
  Actions offer(const Decision& row);

  LogShape shape_;
  Arms arms_;
  std::vector<double> row_;
  std::size_t known_ = 0;  // actions that the policy was offered: those of a model per action exist
};

// Asks the reader for all that these rounds may need.
void want_offers(Log& log);

}  // namespace phe::logs
