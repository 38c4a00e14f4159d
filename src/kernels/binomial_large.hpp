// One draw of B(trials, 1/2) for trials >= 2^14, by rejection in O(1).
//
// The proposal stretches a table's binomial: s * B(n0, 1/2) plus a uniform step in [0, s), slightly
// wider than the target, so that 87-97% are accepted, most of them by a bound that needs no
// logarithm. Each outcome's probability is right to a relative 2^-40: the only error is that of the
// acceptance ratio, computed in doubles. Outcomes beyond 30 standard deviations, whose total
// probability is below 2^-600, do not occur.
#pragma once

#include <cstdint>

#include "phe/rng.hpp"

namespace phe::kernels {

// Precondition: BinomialTables::limit <= trials < 2^62.
std::uint64_t binomial_large(std::uint64_t trials, Rng& rng) noexcept;

// log of the probability that B(trials, 1/2) = trials/2 + offset, for even trials >= 2^10 and
// |offset| at most 15 sqrt(trials); for tests too.
double log_probability(double trials, double offset) noexcept;

}  // namespace phe::kernels
