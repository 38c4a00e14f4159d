// How one reward of x that has a weight w is learnt, as rows of a log that stand for others are.
//
//   theta = (ridge I + sum_l w_l x_l x_l^T)^-1 sum_l w_l x_l (y_l + U_l)
//
// A reward was seen once, whatever it weighs: its noise, and so that of its pseudo-reward, is w
// times as large (docs/decisions/061). A learner that perturbs its rows keeps w x as the row, of
// mass 1 / w: x x^T then enters w times, x y too, and what is added to y with it. The others have
// no noise of a row, and take w for a number of observations.
#pragma once

#include <span>
#include <vector>

#include "policies/learner.hpp"

namespace phe {

// The row of x in the learner, and what to observe of it.
inline Observation weighed(Learner& learner, std::span<const double> x, double reward,
                           double weight, std::vector<double>& scaled) {
  Rows& rows = learner.rows();
  if (!learner.keeps_rows())
    return {.row = rows.replace(x), .reward_sum = weight * reward, .weight = weight};
  if (weight == 1.0) return {.row = rows.intern(x), .reward_sum = reward};
  const double scale = learner.row_scale(weight);
  scaled.assign(x.begin(), x.end());
  for (double& entry : scaled) entry *= scale;
  return {.row = rows.intern(scaled),
          .reward_sum = weight / scale * reward,
          .weight = weight / (scale * scale)};
}

}  // namespace phe
