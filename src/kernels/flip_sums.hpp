// sum_l x_l B_l with fresh B_l ~ B(flips, 1/2) for many rounds at once: equation (9) when nearly
// every row is seen once, so that each carries the same few coin flips.
//
// Flips are bits. 32 rows make a block, whose 8 groups of 4 rows get a table each of their 16
// subset sums. Half a random word is the flips of a block in one round, and each of its 8 nibbles
// chooses the entry to add: one addition serves 4 rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "phe/rng.hpp"

namespace phe::kernels {

// The rounds that one call draws for. docs/decisions/021 says why so many.
inline constexpr std::size_t flip_rounds = 64;
inline constexpr std::size_t flip_block = 32;  // rows whose flips in one round are half a word
inline constexpr std::size_t flip_group = 4;   // rows that share a table

// ahead[r] += sum_{l < count} x_l H_lr for r < flip_rounds, where H_lr is the number of heads of
// `flips` fair coins, fresh for each row and round. Rows of `x` and of `ahead` are `stride` doubles
// apart and begin on a cache line; `stride` is a multiple of 8, and entries of x from `dimension`
// on are zeros.
//
// The generator gives flip_rounds / 2 words per block and flip, whatever the dimension; of word w
// the low half serves round 2 w, the high half round 2 w + 1, and bit l of a half is row l of the
// block. The heads of a group are added in the order of the rows, the groups to ahead[r] in turn.
// Takes 25 KB of the stack: small enough for any thread, and calls share nothing.
void add_flip_sums(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
                   std::uint64_t flips, Rng& rng, double* ahead) noexcept;

namespace scalar {
void add_flip_sums(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
                   std::uint64_t flips, Rng& rng, double* ahead) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
