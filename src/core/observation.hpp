// Observation: what came back for a row of features.
#pragma once

#include <cstdint>
#include <limits>

#include "core/rows.hpp"
#include "phe/arms.hpp"

namespace phe {

class Offered;

// Not among fixed arms.
inline constexpr ArmId nowhere = std::numeric_limits<ArmId>::max();

// `pulls` rewards of one row, mapped to [0, 1].
struct Observation {
  RowId row;
  double reward_sum;
  std::uint64_t pulls = 1;
  double weight = 1.0;  // of each of them, and in reward_sum: a row of a log may stand for others
  // Of fixed arms, which one the row is, and all of them.
  ArmId arm = nowhere;
  const Offered* arms = nullptr;

  [[nodiscard]] double mass() const noexcept { return weight * static_cast<double>(pulls); }
};

}  // namespace phe
