// phe simulate --log: the runs one after the other, every decision written.
#pragma once

#include <string>

#include <phe/simulate.hpp>

namespace phe::app {

struct SimulateFlags;

// Returns the exit code.
int simulate_log(const Plan& plan, const SimulateFlags& flags);

}  // namespace phe::app
