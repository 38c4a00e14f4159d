#include "models/arm_widths.hpp"

#include <algorithm>

#include "kernels/score_arms.hpp"

namespace phe {

namespace {

// Rounding errors of the followed widths are thrown away after d, 2d, 4d .. pulls, while widths
// still fall by orders of magnitude, and then this often: O(K d^2 / 4096) a pull.
constexpr std::uint64_t refresh_period = 4096;

}  // namespace

ArmWidths::ArmWidths(Arms arms, double ridge)
    : arms_(std::move(arms)),
      gram_(arms_.dimension(), ridge),
      next_refresh_(arms_.dimension()),
      squared_(arms_.view().stride),
      products_(arms_.view().stride),
      row_(arms_.dimension()) {
  refresh();
}

void ArmWidths::pulled(ArmId arm) noexcept {
  arms_.copy_row(arm, row_);
  gram_.add(row_, 1.0);
  kernels::score_arms(arms_.view(), gram_.gain(), products_);
  const double shrink = 1.0 / (1.0 + std::max(0.0, products_[arm]));  // < 0 only by rounding
  for (std::size_t k = 0; k < arms_.size(); ++k)
    squared_[k] = std::max(0.0, squared_[k] - shrink * (products_[k] * products_[k]));
  if (++pulls_ == next_refresh_) {
    refresh();
    next_refresh_ += std::min(pulls_, refresh_period);
  }
}

void ArmWidths::refresh() noexcept {
  for (ArmId arm = 0; arm < arms_.size(); ++arm) {
    arms_.copy_row(arm, row_);
    squared_[arm] = std::max(0.0, gram_.squared_width(row_));
  }
}

double largest_squared_norm(const Arms& arms) noexcept {
  double largest = 0.0;
  for (ArmId arm = 0; arm < arms.size(); ++arm) {
    double square = 0.0;
    for (std::size_t j = 0; j < arms.dimension(); ++j) square += arms.at(arm, j) * arms.at(arm, j);
    largest = std::max(largest, square);
  }
  return largest;
}

}  // namespace phe
