// The order in which a data set's rows are shown: a permutation that a number stands for, the same
// in every program that follows the same few lines.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "phe/rng.hpp"

namespace phe {

// Order s of `rows` rows: Fisher-Yates from the top, i = rows - 1 .. 1, which swaps i and
// next() mod (i + 1), where next() is SplitMix64 seeded with s. The remainder favours small
// numbers by rows / 2^64: nothing.
inline std::vector<std::uint32_t> row_order(std::uint32_t rows, std::uint64_t s) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t state = s;
  for (std::size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[mix64(state += StreamKey::golden_ratio) % (i + 1)]);
  return order;
}

}  // namespace phe
