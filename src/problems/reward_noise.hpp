// Rewards on [0, 1] with a given mean, each a pure function of (key, round, arm).
#pragma once

#include <cstdint>

#include "phe/arms.hpp"
#include "phe/rng.hpp"

namespace phe {

enum class RewardLaw { bernoulli, beta };

class RewardNoise {
 public:
  // `concentration` is alpha + beta of the Beta law: larger means less noise.
  RewardNoise(RewardLaw law, double concentration, StreamKey key)
      : law_(law), concentration_(concentration), key_(key.with(Stream::reward)) {}

  // Precondition: mean in [0, 1].
  [[nodiscard]] double reward(double mean, std::uint64_t round, ArmId arm) const noexcept {
    SplitMix words(key_.with(round).with(std::uint64_t{arm}));
    return law_ == RewardLaw::bernoulli ? bernoulli(mean, words) : beta(mean, words);
  }
  // Whether rewards are 0 or 1 only.
  [[nodiscard]] bool binary() const noexcept { return law_ == RewardLaw::bernoulli; }

 private:
  static double bernoulli(double mean, SplitMix& words) noexcept {
    return to_unit(words()) < mean ? 1.0 : 0.0;
  }
  [[nodiscard]] double beta(double mean, SplitMix& words) const noexcept;

  RewardLaw law_;
  double concentration_;
  StreamKey key_;
};

}  // namespace phe
