// Line 9 of Algorithm 1 for every policy: the arm with the highest score, ties broken by the seed
// without favour.
#pragma once

#include <limits>
#include <span>

#include "kernels/score_arms.hpp"
#include "phe/rng.hpp"

namespace phe {

// `scores` is padded with -infinity to a multiple of 8. The first arm when no score is above that:
// overflow has left none of them a number.
inline ArmId best_arm(std::span<const double> scores, const kernels::BestArms& best,
                      Rng& rng) noexcept {
  if (!(best.score > -std::numeric_limits<double>::infinity())) return 0;
  if (best.count <= 1) return best.first;
  ArmId arm = best.first;
  for (std::uint64_t skip = rng.below(best.count); skip > 0; --skip) do
      ++arm;
    while (scores[arm] != best.score);
  return arm;
}
inline ArmId best_arm(std::span<const double> scores, Rng& rng) noexcept {
  return best_arm(scores, kernels::best_arms(scores), rng);
}

}  // namespace phe
