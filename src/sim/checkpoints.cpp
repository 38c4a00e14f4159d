#include "sim/checkpoints.hpp"

#include <algorithm>
#include <array>

#include "spec/numbers.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

std::vector<std::uint64_t> spread(std::uint64_t count, std::uint64_t rounds) {
  count = std::min(rounds, count);
  std::vector<std::uint64_t> checkpoints;
  for (std::uint64_t i = 1; i <= count; ++i) checkpoints.push_back(rounds * i / count);
  return checkpoints;
}

// Ten to a decade, by whole numbers alone: the same on every machine.
std::vector<std::uint64_t> logarithmic(std::uint64_t rounds) {
  constexpr std::array<std::uint64_t, 10> steps = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
  std::vector<std::uint64_t> checkpoints;
  for (std::uint64_t decade = 1; decade <= rounds; decade *= 10)
    for (const std::uint64_t step : steps)
      if (step * decade % 10 == 0 && step * decade / 10 < rounds)
        checkpoints.push_back(step * decade / 10);
  checkpoints.push_back(rounds);
  return checkpoints;
}

}  // namespace

Result<std::vector<std::uint64_t>> checkpoints_of(std::string_view rule, std::uint64_t rounds) {
  if (rule == "all") return spread(rounds, rounds);
  if (rule == "log") return logarithmic(rounds);
  const auto count = parse_count(rule);
  if (!count || *count < 1 || *count > rounds_range.high)
    return invalid("checkpoints must be all, log or a whole number from 1 to {}, got '{}'",
                   rounds_range.high, rule);
  return spread(*count, rounds);
}

}  // namespace phe
