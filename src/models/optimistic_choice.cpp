#include "models/optimistic_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/optimism.hpp"

namespace phe {

void OptimisticChoice::make_room(const FeatureView& x) {
  bounds_.resize(padded(x.dimension));
  row_.resize(bounds_.size());
  const std::size_t room = x.padded_arms();
  if (means_.size() >= room) return;
  for (auto* by_action : {&means_, &ceilings_, &kept_means_, &squared_, &scores_})
    by_action->resize(room);
  features_.resize(room * x.dimension);
  kept_.reserve(room);
}

ArmId OptimisticChoice::best(const FeatureView& x, const RidgeModel& gram,
                             std::span<const double> theta, double radius, Rng& rng) {
  make_room(x);
  gram.width_bounds(bounds_);
  const ArmId hopeful = kernels::best_ceiling(x, theta, bounds_, radius, means_, ceilings_).first;
  for (std::size_t j = 0; j < x.dimension; ++j) row_[j] = x.feature(j)[hopeful];
  keep(x, means_[hopeful] + radius * std::sqrt(gram.squared_width(row_)));

  const std::size_t count = padded(kept_.size());
  const auto squared = std::span(squared_).first(count);
  gram.squared_widths({features_.data(), x.dimension, kept_.size(), count}, squared);
  const auto scores = std::span(scores_).first(count);
  const auto best =
      kernels::best_optimistic(std::span(kept_means_).first(count), squared, radius, scores);
  return kept_[best_arm(scores, best, rng)];
}

void OptimisticChoice::keep(const FeatureView& x, double score) {
  kept_.resize(x.arms);
  std::size_t size = 0;
  for (std::size_t k = 0; k < x.arms; ++k) {  // no branch, which could not be foreseen
    kept_[size] = static_cast<ArmId>(k);
    size += ceilings_[k] < score ? 0 : 1;  // NaN stays
  }
  kept_.resize(size);
  if (kept_.empty()) return keep(x, -std::numeric_limits<double>::infinity());  // by overflow alone
  const std::size_t count = padded(kept_.size());
  for (std::size_t i = 0; i < count; ++i)
    kept_means_[i] = i < kept_.size() ? means_[kept_[i]] : -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < x.dimension; ++j) {
    double* column = features_.data() + j * count;
    for (std::size_t i = 0; i < kept_.size(); ++i) column[i] = x.feature(j)[kept_[i]];
    std::fill(column + kept_.size(), column + count, 0.0);
  }
}

}  // namespace phe
