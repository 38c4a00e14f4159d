// ArmScorer: line 9 of Algorithm 1 for policies that score an arm by x^T theta.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "phe/arms.hpp"
#include "phe/rng.hpp"

namespace phe {

namespace kernels {
class ScreenedArms;
}

// Not thread-safe: one per policy; copies share the arms and their screened copy.
class ArmScorer {
 public:
  explicit ArmScorer(Arms arms);

  // The arm with the largest x^T theta, ties broken by `rng` without favour. From 10^4 arms on,
  // nearly all are ruled out in a copy of low precision; the arm, and the draws from `rng`, are
  // those of the full pass. Precondition: d entries.
  ArmId best(std::span<const double> theta, Rng& rng) noexcept;
  // The full pass.
  ArmId best_of_all(std::span<const double> theta, Rng& rng) noexcept;

 private:
  ArmId best_of(std::span<const ArmId> candidates, std::span<const double> theta,
                Rng& rng) noexcept;
  [[nodiscard]] FeatureView page(std::size_t first) const noexcept;

  Arms arms_;
  std::shared_ptr<const kernels::ScreenedArms> screened_;  // null for few arms
  std::vector<double> scores_;                             // of a page of arms
};

}  // namespace phe
