// Whether the runs of an experiment fit into memory, told before the first one.
#pragma once

#include "phe/result.hpp"
#include "phe/simulate.hpp"

namespace phe {

// Counts the instances that `threads` work on at once, the regrets of all runs, and, with `tables`,
// the text of runs.csv. The policies count their own tables when they are made.
Result<void> check_plan_memory(const Plan& plan, unsigned threads, bool tables);

}  // namespace phe
