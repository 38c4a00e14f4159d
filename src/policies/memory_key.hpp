// The key `memory` of LinPHE and LogPHE.
#pragma once

#include <cstdint>
#include <optional>

#include "phe/registry.hpp"

namespace phe {

inline constexpr auto memory_meaning =
    "contexts: exact pseudo-rewards for all rows | the last N, the older ones as one Gaussian";

// Nothing for all.
inline std::optional<std::uint64_t> read_memory(Parameters& p) {
  if (p.text("memory") == "all") return std::nullopt;
  return p.count("memory");
}

}  // namespace phe
