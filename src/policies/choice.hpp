// A choice among fixed arms as a Result: select() has none, because all policies but those around
// an Oracle choose always.
#pragma once

#include "phe/policy.hpp"

namespace phe {

inline Result<std::size_t> choose_arm(Policy& policy, Rng& rng) {
  const ArmId arm = policy.select(rng);
  if (arm == no_arm)
    if (const auto fault = policy.fault(); !fault) return fault.error();
  return std::size_t{arm};
}

}  // namespace phe
