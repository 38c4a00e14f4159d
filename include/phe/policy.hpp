// Policy: chooses arms and learns from their rewards.
#pragma once

#include <string_view>

#include "phe/arms.hpp"
#include "phe/rng.hpp"

namespace phe {

// Not thread-safe: one Policy per run. select and update neither allocate nor throw.
class Policy {
 public:
  virtual ~Policy() = default;

  // The arm to pull next. All randomness comes from `rng`.
  virtual ArmId select(Rng& rng) = 0;
  // Precondition: `arm` exists and `reward` lies in the range that the policy was made for.
  virtual void update(ArmId arm, double reward) = 0;
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
};

// The range [low, high] that rewards lie in. Policies learn from (reward - low) / (high - low).
struct RewardRange {
  double low = 0.0;
  double high = 1.0;

  [[nodiscard]] double to_unit(double reward) const noexcept {
    return (reward - low) / (high - low);
  }
};

}  // namespace phe
