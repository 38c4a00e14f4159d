// What one policy did on one problem, a number per instance: what paired tests compare.
#pragma once

#include <vector>

#include "phe/simulate.hpp"
#include "record/journal_reader.hpp"

namespace phe {

enum class Measure { final_regret, ns_per_round };

// In the order of the instances; policy and problem are positions in the plan. Precondition: every
// run of the plan is in `runs`.
std::vector<double> observations(const Plan& plan, const Runs& runs, std::size_t problem,
                                 std::size_t policy, Measure measure = Measure::final_regret);

}  // namespace phe
