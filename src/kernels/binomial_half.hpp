// sums[i] ~ B(trials[i], 1/2), all independent, in time that does not grow with the trials.
//
//   m mod 64        popcount of that many random bits
//   64 <= m < 2^14  plus one or two look-ups in exact alias tables (binomial_tables.hpp)
//   m >= 2^14       rejection from a widened table (binomial_large.hpp)
#pragma once

#include <cstdint>
#include <span>

#include "phe/rng.hpp"

namespace phe::kernels {

// Both spans have the same length, a multiple of 8. Reads whole steps of the generator.
void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> sums) noexcept;

namespace scalar {
// The same numbers from the same generator, one arm at a time.
void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> sums) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
