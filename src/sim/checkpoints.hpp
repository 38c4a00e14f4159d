// Checkpoints: the rounds after which a run is recorded.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe {

// A number N: N rounds spread evenly (all, when there are fewer); "all": every round; "log": 1, 2,
// 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, .. The last round is always one.
Result<std::vector<std::uint64_t>> checkpoints_of(std::string_view rule, std::uint64_t rounds);

}  // namespace phe
