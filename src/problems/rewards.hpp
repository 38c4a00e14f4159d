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

  [[nodiscard]] RewardNoise noise(StreamKey key) const {
    return {law, law == RewardLaw::beta ? concentration : width, key};
  }
};

// The keys that choose the law, for a problem's entry: their documentation, values and rules.
std::vector<ParameterInfo> reward_parameters();
RewardOptions read_rewards(Parameters& p);
Result<void> check_rewards(std::string_view problem, const RewardOptions& options);

// Arms with given means in [0, 1].
class NoisyInstance final : public Instance {
 public:
  NoisyInstance(Arms arms, std::vector<double> means, RewardNoise noise)
      : Instance(std::move(arms), std::move(means)), noise_(noise) {}

  [[nodiscard]] double reward(std::uint64_t round, ArmId arm) const noexcept override {
    return noise_.reward(means()[arm], round, arm);
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return noise_.binary(); }

 private:
  RewardNoise noise_;
};

}  // namespace phe
