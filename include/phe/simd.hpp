// The SIMD instruction sets that this build holds and this machine can run. Results are the same
// bytes on each; forcing one serves tests and measurements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe {

// Best first, in lower case: "avx3", "avx2", "sse4", "scalar", ...
std::vector<std::string> simd_targets();
// Uses `name` from now on, in the whole process; "auto" for the best.
Result<void> use_simd_target(std::string_view name);

}  // namespace phe
