// Decision: one logged choice, and what came of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace phe::logs {

// A view into the reader that made it: valid until the next line is read.
struct Decision {
  std::size_t action = 0;   // counted from 0, whatever the log's own names are
  double reward = 0.0;      // finite
  double propensity = 1.0;  // in (0, 1]: P(action) under the policy that wrote the log
  std::size_t slot = 0;     // place of the action on the page, from 1; 0 where there are no slots
  std::size_t actions = 0;  // how many could have been chosen; 0 where nobody says
  double multiplicity = 1;  // events that this one stands for: 1 / (1 - pdrop)
  // P(each action) under the policy that wrote the log; empty where that was not logged.
  std::span<const double> probabilities = {};
  // What --target column=NAME names: P(action) under the target, or that of each action.
  std::span<const double> target = {};
  // Numbers as they are, for a policy: one context, or the features of each action, row by row;
  // empty unless asked for.
  std::span<const double> context = {};
  std::span<const double> action_features = {};
  bool capped = false;  // the propensity was found by resampling that stopped at its cap
  // As written in the log, in the order of the log's feature names; empty unless asked for.
  std::span<const std::string_view> features = {};
  std::string_view file = {};
  std::uint64_t line = 0;
};

}  // namespace phe::logs
