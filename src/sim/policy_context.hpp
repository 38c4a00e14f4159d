// What a policy may know of the bandit that it will play.
#pragma once

#include "phe/registry.hpp"

namespace phe {

inline PolicyContext policy_context(const Instance& bandit, std::uint64_t rounds) {
  const auto* contexts = dynamic_cast<const ContextInstance*>(&bandit);
  return {bandit.arms(), rounds, bandit.reward_range(), bandit.binary_rewards(),
          contexts != nullptr && contexts->one_context()};
}

}  // namespace phe
