// Curves and paired differences of an experiment that is not finished, as they grow: of the runs
// that are in. When all are, they are those of curves_of and paired_differences.
#pragma once

#include <vector>

#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"

namespace phe {

// One policy on one problem, over the instances that are done.
struct GrowingCurve {
  std::size_t problem = 0;
  std::size_t policy = 0;
  std::uint64_t instances = 0;
  std::vector<MeanAndError> regret{};  // at each checkpoint; empty where no run is done
};

// The difference to another policy, over the instances that both have done.
struct GrowingDifference : GrowingCurve {
  // Of the last checkpoint, with the asked confidence for all differences together (paired.hpp).
  // Both 0 with less than two instances.
  double low = 0.0;
  double high = 0.0;
};

// By problem, then policy.
std::vector<GrowingCurve> growing_curves(const Plan& plan, const Runs& runs);
// Of each policy but `other`, by problem. Precondition: `other` is a policy, 0 < confidence < 1.
std::vector<GrowingDifference> growing_differences(const Plan& plan, const Runs& runs,
                                                   std::size_t other, double confidence);

}  // namespace phe
