// What LinPHE and LogPHE ask of a history that they are given, and of the key `memory`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"

namespace phe {

// The rows are the arms, the reward sum of each is one that its pulls can have, and the
// pseudo-rewards of none are more than can be drawn exactly.
Result<void> check_history(std::string_view who, const History& history, std::size_t arms,
                           const RewardRange& rewards, double perturbation_scale);
// And each sum is that of rewards which are the ends of the range.
Result<void> check_binary_history(std::string_view who, const History& history,
                                  const RewardRange& rewards);

Result<void> check_memory_key(std::string_view who, const Arms& arms,
                              std::optional<std::uint64_t> memory);
// In a saved state.
inline constexpr std::uint64_t all_rows = ~std::uint64_t{0};

}  // namespace phe
