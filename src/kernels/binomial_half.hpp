// Draws of B(trials, 1/2), all independent, in time that is bounded whatever the trials.
//
//   m mod 64        popcount of that many random bits
//   64 <= m < 2^14  plus one or two look-ups in exact alias tables (binomial_tables.hpp)
//   m < 2^19        plus a few more, two for each 30 * 1024
//   m >= 2^19       rejection from a widened table (binomial_large.hpp)
#pragma once

#include <cstdint>
#include <span>

#include "phe/rng.hpp"

namespace phe::kernels {

// draws[i] ~ B(trials[i], 1/2); lanes are entries. Both spans have the same length, a multiple
// of 8.
void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> draws) noexcept;

// draws[i][r] ~ B(trials[i], 1/2) for r = 0 .. 15; lanes are the 16 repetitions r, so a row's mask
// and tables serve them all. `draws` holds 16 entries a row.
inline constexpr std::size_t repetitions = 16;
void binomial_half_rows(std::span<const std::uint64_t> trials, Rng& rng,
                        std::span<double> draws) noexcept;

namespace scalar {
// The same numbers from the same generator, one at a time.
void binomial_half(std::span<const std::uint64_t> trials, Rng& rng,
                   std::span<double> draws) noexcept;
void binomial_half_rows(std::span<const std::uint64_t> trials, Rng& rng,
                        std::span<double> draws) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
