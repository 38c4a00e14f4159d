// What comes from outside is checked here, in release builds too, before anything changes.
#pragma once

#include <cmath>
#include <span>
#include <string_view>

#include "phe/policy.hpp"
#include "support/error.hpp"

namespace phe {

// Squares of larger features, times billions of pulls, would leave the range of doubles.
inline constexpr double largest_feature = 1e100;

[[gnu::cold]] inline Error bad_reward(std::string_view who, const RewardRange& range,
                                      double reward) {
  return invalid("{}: a reward must be between {} and {}, got {}", who, range.low, range.high,
                 reward);
}

inline Result<void> check_features(std::string_view who, std::size_t dimension,
                                   std::span<const double> features) {
  if (features.size() != dimension)
    return invalid("{}: there must be {} features, got {}", who, dimension, features.size());
  for (std::size_t j = 0; j < dimension; ++j)
    if (!(std::abs(features[j]) <= largest_feature))
      return invalid("{}: feature {} must be a number of at most {} in size, got {}", who, j,
                     largest_feature, features[j]);
  return {};
}

// Between these, a weight leaves features and their squares in the range of doubles.
inline constexpr double largest_weight = 1e50;

inline Result<void> check_weight(std::string_view who, const Result<void>& weighable,
                                 double weight) {
  if (weight == 1.0) return {};
  if (!weighable) return weighable;
  if (weight >= 1.0 / largest_weight && weight <= largest_weight) return {};
  return invalid("{}: a weight must be between {} and {}, got {}", who, 1.0 / largest_weight,
                 largest_weight, weight);
}

}  // namespace phe
