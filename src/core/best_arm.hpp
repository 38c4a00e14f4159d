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

// Turns scores into the probabilities of best_arm's choice: equal shares for the best. No padding.
inline void share_among_best(std::span<double> scores) noexcept {
  double best = -std::numeric_limits<double>::infinity();
  for (const double score : scores)
    if (score > best) best = score;  // NaN never wins
  double ties = 0.0;
  for (const double score : scores) ties += score == best ? 1.0 : 0.0;
  const bool any = best > -std::numeric_limits<double>::infinity();
  for (double& score : scores) score = any && score == best ? 1.0 / ties : 0.0;
  if (!any) scores[0] = 1.0;
}

}  // namespace phe
