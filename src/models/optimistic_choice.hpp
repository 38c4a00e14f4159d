// OptimisticChoice: the action of a round with the largest x^T theta + radius |x|_{G^-1}, without
// the widths of most.
//
// A width takes O(d^2) per action. O(d) give a ceiling of it (RidgeModel::width_bounds), and an
// action whose ceiling is below the score of another cannot be the best. Of the others the scores
// are computed as of all: the choice, and the draws from `rng` for a tie, are those of the full
// pass, to the bit (docs/decisions/024). Not thread-safe.
#pragma once

#include <span>
#include <vector>

#include "core/aligned_vector.hpp"
#include "models/ridge.hpp"
#include "phe/arms.hpp"
#include "phe/rng.hpp"

namespace phe {

class OptimisticChoice {
 public:
  // Precondition: theta has d entries, radius >= 0.
  ArmId best(const FeatureView& x, const RidgeModel& gram, std::span<const double> theta,
             double radius, Rng& rng);

  // How many widths the last call computed.
  [[nodiscard]] std::size_t computed() const noexcept { return kept_.size(); }

 private:
  void make_room(const FeatureView& x);
  // The actions that may be the best, in their order, when one of them reaches `score`.
  void keep(const FeatureView& x, double score);

  std::vector<ArmId> kept_;
  AlignedVector bounds_, means_, ceilings_;
  AlignedVector features_, kept_means_, squared_, scores_;  // of those kept
  AlignedVector row_;
};

}  // namespace phe
