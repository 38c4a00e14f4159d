// Regret curves: what the runs of an experiment say together.
#pragma once

#include <string>
#include <vector>

#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"

namespace phe {

// One policy on one problem, over all instances.
struct Curve {
  std::size_t problem = 0;  // positions in the experiment's lists
  std::size_t policy = 0;
  std::vector<MeanAndError> regret{};  // at each checkpoint, summed over instances in index order
  // The same of the optional columns; empty where they were not recorded.
  std::vector<MeanAndError> reward{};
  std::vector<MeanAndError> best_pulls{};
  double seconds = 0.0;  // of all its runs together
  double ns_per_round = 0.0;

  [[nodiscard]] const MeanAndError& final() const noexcept { return regret.back(); }
};

// All curves, by problem and then policy. Precondition: every run of the plan is in `runs`.
std::vector<Curve> curves_of(const Plan& plan, const Runs& runs);

// How tables name a problem: without d and arms, which have columns of their own.
std::string problem_label(const ProblemSpec& problem);

}  // namespace phe
