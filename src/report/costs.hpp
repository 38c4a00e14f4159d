// What a whole reproduction cost, and how much of that was spent outside the policies.
#pragma once

#include "phe/result.hpp"
#include "phe/simulate.hpp"

namespace phe {

struct Costs {
  double wall_seconds = 0.0;
  double cpu_seconds = 0.0;      // of the process and of gnuplot
  double outside_seconds = 0.0;  // of these, not in select and update of a policy

  [[nodiscard]] double outside_share() const noexcept { return outside_seconds / cpu_seconds; }
};

// Processor time until now of this process and the programs it ran.
double cpu_seconds() noexcept;

// What a round costs beside the policy, on average over the plan's problems: the same loop with a
// policy that does nothing, so the reward, the regret, and the calls.
Result<double> round_overhead_seconds(const Plan& plan);

}  // namespace phe
