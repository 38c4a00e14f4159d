#include "hwy/targets.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>

#include "hwy/highway.h"

#include "phe/simd.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

struct Target {
  std::int64_t bit;
  std::string name;
};

// The targets compiled into the kernels that this machine runs; Highway's lower bits are better.
std::vector<Target> usable_targets() {
  std::vector<Target> targets;
  auto left = static_cast<std::uint64_t>(hwy::SupportedTargets() & HWY_TARGETS);
  for (; left != 0; left &= left - 1) {
    const std::int64_t bit = std::int64_t{1} << std::countr_zero(left);
    // The kernels for any machine, by whichever of the two names this compiler has them.
    std::string name = bit == HWY_EMU128 ? "scalar" : hwy::TargetName(bit);
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    targets.push_back({bit, std::move(name)});
  }
  return targets;
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const Target& target : usable_targets()) names.push_back(target.name);
  return names;
}

Result<void> use_simd_target(std::string_view name) {
  std::string known = "auto";
  std::int64_t chosen = name == "auto" ? hwy::SupportedTargets() : 0;
  for (const Target& target : usable_targets()) {
    known += ", " + target.name;
    if (target.name == name) chosen = target.bit;
  }
  if (chosen == 0) return invalid("SIMD target must be one of {}, got '{}'", known, name);
  hwy::GetChosenTarget().Update(chosen);
  return {};
}

}  // namespace phe
