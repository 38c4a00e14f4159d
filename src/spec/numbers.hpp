// Whole numbers that a person typed, and what an experiment may ask for.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "phe/result.hpp"

namespace phe {

struct CountRange {
  std::uint64_t low = 0;
  std::uint64_t high = std::numeric_limits<std::uint64_t>::max();
};

// What an experiment may ask for.
inline constexpr CountRange rounds_range{1, 1'000'000'000};
inline constexpr CountRange instances_range{1, 1'000'000};
inline constexpr CountRange first_instance_range{0, 1'000'000};
inline constexpr CountRange seed_range{};
inline constexpr CountRange threads_range{1, 1024};

// The whole number that `text` is, 0 or more: 1000000, and also 1e6 or 2.5e3.
std::optional<std::uint64_t> parse_count(std::string_view text);

// "rounds must be a whole number from 1 to 1000000000, got '-5'".
Error out_of_range(std::string_view name, CountRange range, std::string_view text);
Result<std::uint64_t> count_in(std::string_view name, CountRange range, std::string_view text);
Result<void> check_count(std::string_view name, CountRange range, std::uint64_t value);

}  // namespace phe
