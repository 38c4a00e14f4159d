// How an epsilon-greedy policy's exploration falls over time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "phe/registry.hpp"

namespace phe {

enum class EpsilonSchedule {
  authors,  // epsilon sqrt(n / t) / 2: a fraction epsilon of all n rounds, more of the early ones
  paper,    // min(1, epsilon / (2 sqrt t)), the text to the letter: 5 explorations in 10^4 rounds
  constant  // epsilon
};

// epsilon_t for round t, from 1, of n; cut off at 1.
inline double epsilon_in_round(EpsilonSchedule schedule, double epsilon, std::uint64_t n,
                               std::uint64_t t) noexcept {
  const auto round = static_cast<double>(t);
  switch (schedule) {
    case EpsilonSchedule::authors:
      return std::min(1.0, 0.5 * epsilon * std::sqrt(static_cast<double>(n) / round));
    case EpsilonSchedule::paper:
      return std::min(1.0, 0.5 * epsilon / std::sqrt(round));
    case EpsilonSchedule::constant:
      break;
  }
  return epsilon;
}

// The key `schedule`.
inline constexpr auto epsilon_schedule_meaning =
    "epsilon_t: authors = epsilon sqrt(n/t) / 2 | paper = epsilon / (2 sqrt t) | constant";
inline EpsilonSchedule read_epsilon_schedule(Parameters& p) {
  return static_cast<EpsilonSchedule>(p.choice("schedule", {"authors", "paper", "constant"}));
}

}  // namespace phe
