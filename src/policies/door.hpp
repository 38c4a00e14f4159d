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

inline Result<void> check_weight(std::string_view who, bool weighable, double weight) {
  if (!weighable && weight != 1.0)
    return invalid("{}: its observations cannot be weighed, those of lineps, greedy, linucb can",
                   who);
  if (weight > 0 && weight <= largest_feature) return {};
  return invalid("{}: a weight must be above 0 and at most {}, got {}", who, largest_feature,
                 weight);
}

}  // namespace phe
