// Uniform: any arm, with equal probability; the most regret that a policy can have without trying.
#pragma once

#include "phe/policy.hpp"

namespace phe {

class Uniform final : public Policy {
 public:
  explicit Uniform(std::size_t arms) : arms_(arms) {}

  ArmId select(Rng& rng) override { return static_cast<ArmId>(rng.below(arms_)); }
  void update(ArmId /*arm*/, double /*reward*/) override {}
  [[nodiscard]] std::string_view name() const noexcept override { return "uniform"; }

 private:
  std::size_t arms_;
};

}  // namespace phe
