// The last check of an experiment before time is spent on it.
#pragma once

#include "phe/result.hpp"
#include "phe/simulate.hpp"

namespace phe {

// Makes every policy once on the first instance of every problem, so that a value no policy can
// work with (a <= 0, say) is told before the first run.
Result<void> check_policies(const Plan& plan);

}  // namespace phe
