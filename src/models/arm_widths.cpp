#include "models/arm_widths.hpp"

#include <algorithm>

#include "kernels/optimism.hpp"
#include "kernels/quadratic_forms.hpp"
#include "kernels/score_arms.hpp"
#include "support/archive.hpp"

namespace phe {

namespace {

// Rounding errors of what is followed are thrown away after d, 2d, 4d .. pulls, while widths still
// fall by orders of magnitude, and then this often: O(K d^2 / 4096) per pull.
constexpr std::uint64_t refresh_period = 4096;

}  // namespace

ArmWidths::ArmWidths(std::size_t dimension, std::size_t arms)
    : arms_(arms > 0), next_refresh_(dimension) {
  resize(arms);
}

void ArmWidths::resize(std::size_t arms) {
  count_ = padded(arms);
  if (squared_.size() >= count_) return;
  for (auto* by_arm : {&squared_, &means_, &products_}) by_arm->resize(count_);
}

void ArmWidths::pulled(const RidgeModel& gram, const Observation& observation,
                       double weight) noexcept {
  if (++pulls_ == next_refresh_) {
    stale_ = true;
    next_refresh_ += std::min(pulls_, refresh_period);
  }
  stale_ = stale_ || observation.arms == nullptr;
  if (stale_) return;
  const auto pulls = static_cast<double>(observation.pulls);
  kernels::score_arms(observation.arms->view(), gram.gain(), products_);
  for (std::size_t k = observation.arms->size(); k < products_.size(); ++k) products_[k] = 0.0;
  const double w = weight * pulls;
  const double shrink = w / (1.0 + w * std::max(0.0, products_[observation.arm]));  // < 0: rounding
  const double error = observation.reward_sum / pulls - means_[observation.arm];
  kernels::follow_pull(products_, shrink * error, shrink, means_, squared_);
}

void ArmWidths::refresh(const Offered& offered, const RidgeModel& gram,
                        std::span<const double> theta) {
  resize(offered.size());
  if (!theta.empty()) kernels::score_arms(offered.view(), theta, std::span(means_).first(count_));
  gram.squared_widths(offered.view(), std::span(squared_).first(count_));
  stale_ = false;
  round_ = offered.round();
}

void ArmWidths::persist(Archive& archive) {
  const std::size_t fixed = arms_ ? squared_.size() : 0;
  archive(stale_);
  archive(round_);
  archive(pulls_);
  archive(next_refresh_);
  archive(count_);
  archive(squared_);
  archive(means_);
  archive.require(squared_.size() == means_.size() && count_ <= squared_.size() &&
                      (!arms_ || (squared_.size() == fixed && count_ == fixed)),
                  "widths of another number of arms");
  if (!archive.ok()) return;
  products_.resize(squared_.size());
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
