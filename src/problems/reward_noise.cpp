#include "problems/reward_noise.hpp"

#include "kernels/elementary.hpp"
#include "kernels/gamma.hpp"
#include "kernels/normal.hpp"

namespace phe {

// By inversion: the smallest n with P(N <= n) above a uniform number.
double RewardNoise::poisson(double mean, SplitMix& words) const noexcept {
  double left = to_unit(words());
  double probability = kernels::exp(-mean);
  double n = 0.0;
  while (left >= probability && n < shape_) {
    left -= probability;
    n += 1.0;
    probability *= mean / n;
  }
  return n;
}

double RewardNoise::beta(double mean, SplitMix& words) const noexcept {
  if (mean <= 0.0 || mean >= 1.0) return mean;  // Beta's limits: all mass at 0 or at 1
  return kernels::beta(mean * shape_, (1.0 - mean) * shape_, words);
}

double RewardNoise::gaussian(double mean, SplitMix& words) const noexcept {
  const double z = std::clamp(kernels::normal(words), -most_deviations, most_deviations);
  return mean + shape_ * z;
}

}  // namespace phe
