// Keeps a fuzz target quick: what is valid but large is left to the benchmarks.
#pragma once

#include "phe/registry.hpp"

namespace phe::fuzz {

inline bool small(const Problem& problem) {
  return problem.arms() <= 64 && problem.dimension() <= 16;
}

// An ensemble of up to a million models is allowed, and slow.
inline bool small(const PolicySpec& policy) {
  if (policy.entry->name != "linens") return true;
  Parameters values = policy.parameters;
  return values.count("M") <= 100;
}

}  // namespace phe::fuzz
