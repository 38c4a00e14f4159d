// Decision: a choice, and the probability of every action, so that what is logged of it can be
// learnt from and evaluated by others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace phe {

// How the probabilities of a randomised argmax are made true by construction: M models are drawn
// where `select` draws one, and one of their M favourites is chosen at random. The law of the
// choice is that of `select`; given the models, an action that is the favourite of c of them has
// probability c / M, exactly. Where a policy knows its probabilities in closed form, these are
// they.
struct DecideOptions {
  std::size_t draws = 16;  // M
  // A uniform share mixed in: (1 - floor) c / M + floor / K, so that no action has probability 0.
  double floor = 0.0;
  // Geometric resampling (Neu and Bartok 2013), without a floor: draw until the choice is favoured
  // again, at most so often; 0 for none. The number of draws is an unbiased 1 / P(choice).
  std::uint64_t resample = 0;
};

// Made anew by every call of decide; handed in again, it does not allocate.
struct Decision {
  std::size_t action = 0;             // its place among the actions offered, or the arm
  std::vector<double> probabilities;  // of each action; they sum to 1
  double inverse_propensity = 1.0;    // 1 / probabilities[action], or the draws of resampling
  bool capped = false;                // resampling stopped at its cap: 1 / P(choice) is larger
};

}  // namespace phe
