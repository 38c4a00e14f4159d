// ArmSums: pulls and rewards of each arm, all that the multi-armed standards know. Arms are
// independent: features play no part.
#pragma once

#include <cstdint>
#include <vector>

#include "core/observation.hpp"
#include "support/archive.hpp"

namespace phe {

struct ArmSums {
  explicit ArmSums(std::size_t arms) : pulls(arms), reward_sums(arms) {}

  void add(const Observation& observation) noexcept {
    pulls[observation.arm] += observation.pulls;
    reward_sums[observation.arm] += observation.reward_sum;
    total += observation.pulls;
  }
  [[nodiscard]] std::size_t size() const noexcept { return pulls.size(); }
  // Precondition: the arm was pulled.
  [[nodiscard]] double mean(std::size_t arm) const noexcept {
    return reward_sums[arm] / static_cast<double>(pulls[arm]);
  }

  void persist(Archive& archive) {
    constexpr std::uint64_t most = std::uint64_t{1} << 52;
    archive.fixed(pulls);
    archive.fixed(reward_sums);
    total = 0;
    for (std::size_t arm = 0; arm < size(); ++arm) {
      const auto most_sum = static_cast<double>(pulls[arm]) * (1 + 1e-9);
      archive.require(pulls[arm] <= most && reward_sums[arm] >= -1e-9 * most_sum &&
                          reward_sums[arm] <= most_sum,
                      "rewards that do not go with the pulls");
      total += pulls[arm];
    }
  }

  std::vector<std::uint64_t> pulls;  // T_i
  std::vector<double> reward_sums;   // V_i
  std::uint64_t total = 0;           // of pulls
};

}  // namespace phe
