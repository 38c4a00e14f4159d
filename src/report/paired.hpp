// Paired differences between policies: their final regret on the instances that they share.
//
// Of m intervals with 95 % confidence each, some would miss by chance. So each is Student's at
// confidence 1 - (1 - confidence) / m, Bonferroni's correction: all m hold together with the asked
// confidence, however they depend on each other, as differences with a policy in common do. Holm's
// procedure would decide a few pairs more, but it orders tests and has no intervals of its own; how
// large a difference may be is what a reader wants to know. p-values are multiplied by m, so that
// one below 1 - confidence and an interval without 0 are the same thing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"
#include "report/replicates.hpp"

namespace phe {

struct PairedDifference {
  std::size_t problem = 0;  // positions in the plan
  std::size_t policy = 0;
  std::size_t other = 0;
  double difference = 0.0;  // mean of regret(policy) - regret(other)
  double standard_error = 0.0;
  double low = 0.0;  // of the interval
  double high = 0.0;
  double t = 0.0;
  double p_value = 1.0;  // two-sided, corrected, at most 1
  double ratio = 0.0;    // of the means

  // The policy whose regret is lower, when the interval tells.
  [[nodiscard]] std::optional<std::size_t> lower() const noexcept {
    if (high < 0.0) return policy;
    if (low > 0.0) return other;
    return std::nullopt;
  }
};

struct PolicyPair {
  std::size_t policy;
  std::size_t other;
};

// Every two of the policies, in their order.
std::vector<PolicyPair> all_pairs(std::span<const std::size_t> policies);
// Each of the policies but `other` with it.
std::vector<PolicyPair> pairs_with(std::span<const std::size_t> policies, std::size_t other);

// The differences of all pairs on all problems, by problem. Precondition: at least 2 instances,
// every run of the plan is in `runs`, 0 < confidence < 1.
std::vector<PairedDifference> paired_differences(const Plan& plan, const Runs& runs,
                                                 std::span<const PolicyPair> pairs,
                                                 double confidence,
                                                 Replicates replicates = Replicates::independent);

}  // namespace phe
