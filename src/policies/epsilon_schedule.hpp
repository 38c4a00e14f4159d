// How an epsilon-greedy policy's exploration falls over time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "phe/rng.hpp"
#include "policies/keys.hpp"

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

template <class Options>
std::vector<Key<Options>> epsilon_keys(const std::string& ridge_allowed) {
  using O = Options;
  return {{"epsilon", &O::epsilon, check_probability, "exploration rate, from 0 to 1"},
          {"schedule",
           &O::schedule,
           {{"authors", EpsilonSchedule::authors},
            {"paper", EpsilonSchedule::paper},
            {"constant", EpsilonSchedule::constant}},
           "epsilon_t: authors = epsilon sqrt(n/t) / 2 | paper = epsilon / (2 sqrt t) | constant"},
          {"ridge", &O::ridge, check_positive, "regularisation lambda" + ridge_allowed},
          {"basis", &O::basis, "first pull each arm of a basis once"},
          {"rounds", &O::rounds}};
}

// The first rounds with the key `basis`.
template <class Options>
Shape basis_if_asked(const Options& options, const PolicyContext& /*context*/) {
  return {.fixed = options.basis ? Start::basis : Start::none};
}

}  // namespace phe
