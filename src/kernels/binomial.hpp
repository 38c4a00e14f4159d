// One draw of B(trials, p) for any p, in O(1) expected time.
//
// Below a mean of 10 by inversion, else by Hormann's transformed rejection with squeeze (BTRS,
// 1993). Exact but for the rounding of doubles: probabilities are right to a relative 1e-12 up to
// 10^6 trials, to 1e-6 up to 10^12.
#pragma once

#include <cstdint>

#include "phe/rng.hpp"

namespace phe::kernels {

// Precondition: trials < 2^53. p at or below 0 gives 0, at or above 1 gives `trials`.
std::uint64_t binomial(std::uint64_t trials, double p, Rng& rng) noexcept;

}  // namespace phe::kernels
