// Rewards of a problem whose arms have given means: the law that a user chooses, and the instance.
#pragma once

#include <string_view>
#include <vector>

#include "phe/problem.hpp"
#include "phe/registry.hpp"
#include "problems/reward_noise.hpp"

namespace phe {

struct RewardOptions {
  RewardLaw law = RewardLaw::bernoulli;
  double concentration = 4.0;  // of beta rewards
  double width = 1.0;          // of uniform rewards
  double deviation = 1.0;      // of Gaussian rewards

  [[nodiscard]] RewardNoise noise(StreamKey key) const {
    return {law,
            law == RewardLaw::beta       ? concentration
            : law == RewardLaw::gaussian ? deviation
                                         : width,
            key};
  }
  // Where the rewards of means from `low` to `high` lie.
  [[nodiscard]] RewardRange range(double low, double high) const noexcept {
    if (law != RewardLaw::gaussian) return {};
    return {low - most_deviations * deviation, high + most_deviations * deviation};
  }
};

// The keys that choose the law, for a problem's entry: their documentation, values and rules.
enum class Laws { bounded, all };
std::vector<ParameterInfo> reward_parameters(Laws laws = Laws::bounded);
RewardOptions read_rewards(Parameters& p, Laws laws = Laws::bounded);
Result<void> check_rewards(std::string_view problem, const RewardOptions& options);

// Arms with given means, and rewards in `range`.
class NoisyInstance final : public Instance {
 public:
  NoisyInstance(Arms arms, std::vector<double> means, RewardNoise noise, RewardRange range)
      : Instance(std::move(arms), std::move(means), range), noise_(noise) {}
  NoisyInstance(Arms arms, std::vector<double> means, const RewardNoise& noise)
      : NoisyInstance(std::move(arms), std::move(means), noise, noise.range()) {}

  [[nodiscard]] double reward(std::uint64_t round, ArmId arm) const noexcept override {
    return noise_.reward(means()[arm], round, arm);
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return noise_.binary(); }

 private:
  RewardNoise noise_;
};

}  // namespace phe
