// The same bytes from every SIMD target of this machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "phe/simd.hpp"
#include "target.hpp"

namespace phe::fuzz {

// Equal to the bit. Which of many NaNs a NaN is depends on the order of an addition's operands,
// which is the compiler's choice: all are taken for one.
inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) ||
           (std::isnan(x) && std::isnan(y));
  });
}

// Demands that `run`, a function that returns numbers, gives `expected` on each target.
template <class Run>
void demand_on_every_target(const std::vector<double>& expected, const std::string& name, Run run) {
  static const std::vector<std::string> targets = simd_targets();
  for (const std::string& target : targets) {
    demand(use_simd_target(target).ok(), "a target that is listed can be used");
    demand(same(run(), expected), name + " gives the same bytes on " + target);
  }
}

// The first target's numbers are those that the others must give.
template <class Run>
void demand_equal_targets(const std::string& name, Run run) {
  static const std::string best = simd_targets().front();
  demand(use_simd_target(best).ok(), "a target that is listed can be used");
  demand_on_every_target(run(), name, run);
}

}  // namespace phe::fuzz
