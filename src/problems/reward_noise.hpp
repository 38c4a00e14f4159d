// Rewards with a given mean, on [0, 1] but for counts and Gaussian ones, each a pure function of
// (key, round, arm).
#pragma once

#include <algorithm>
#include <cstdint>

#include "phe/arms.hpp"
#include "phe/policy.hpp"
#include "phe/rng.hpp"

namespace phe {

enum class RewardLaw {
  bernoulli,  // 0 or 1
  beta,       // Beta(mean c, (1 - mean) c), c the concentration
  uniform,    // on mean +- width / 2, narrowed where that would leave [0, 1]
  gaussian,   // N(mean, deviation^2), cut off at most_deviations on both sides
  poisson     // counts, those above M cut to it
};

// Policies must know a range of rewards. Beyond this lie 6 of 100,000.
inline constexpr double most_deviations = 4.0;

class RewardNoise {
 public:
  // `shape` is the concentration of the Beta law (larger means less noise), the width of the
  // uniform one, the deviation of the Gaussian one, or M.
  RewardNoise(RewardLaw law, double shape, StreamKey key)
      : law_(law), shape_(shape), key_(key.with(Stream::reward)) {}

  // Precondition: mean in [0, 1], of counts in [0, 500], or any if Gaussian.
  [[nodiscard]] double reward(double mean, std::uint64_t round, ArmId arm) const noexcept {
    SplitMix words(key_.with(round).with(std::uint64_t{arm}));
    switch (law_) {
      case RewardLaw::bernoulli:
        return bernoulli(mean, words);
      case RewardLaw::beta:
        return beta(mean, words);
      case RewardLaw::poisson:
        return poisson(mean, words);
      case RewardLaw::uniform:
        return uniform(mean, words);
      case RewardLaw::gaussian:
        break;
    }
    return gaussian(mean, words);
  }
  [[nodiscard]] RewardRange range() const noexcept {
    return {0.0, law_ == RewardLaw::poisson ? shape_ : 1.0};
  }
  // Whether rewards are 0 or 1 only.
  [[nodiscard]] bool binary() const noexcept { return law_ == RewardLaw::bernoulli; }

 private:
  static double bernoulli(double mean, SplitMix& words) noexcept {
    return to_unit(words()) < mean ? 1.0 : 0.0;
  }
  [[nodiscard]] double poisson(double mean, SplitMix& words) const noexcept;
  [[nodiscard]] double beta(double mean, SplitMix& words) const noexcept;
  [[nodiscard]] double uniform(double mean, SplitMix& words) const noexcept {
    const double half = std::min({0.5 * shape_, mean, 1.0 - mean});
    return std::clamp(mean + half * (2.0 * to_unit(words()) - 1.0), 0.0, 1.0);  // by an ulp at most
  }

  [[nodiscard]] double gaussian(double mean, SplitMix& words) const noexcept;

  RewardLaw law_;
  double shape_;
  StreamKey key_;
};

}  // namespace phe
