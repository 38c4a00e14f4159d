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
    : dimension_(dimension), next_refresh_(dimension), gains_(most_pending * dimension) {
  resize(arms);
}

void ArmWidths::resize(std::size_t arms) {
  count_ = padded(arms);
  if (squared_.size() >= count_) return;
  for (auto* by_arm : {&squared_, &means_, &products_}) by_arm->resize(count_);
}

void ArmWidths::pulled(const RidgeModel& gram, const Observation& observation, double weight) {
  if (++pulls_ == next_refresh_) {
    stale_ = true;
    next_refresh_ += std::min(pulls_, refresh_period);
  }
  if (stale_ || observation.arm == nowhere || pending_count_ == most_pending) {
    stale_ = true;
    return;
  }
  const auto pulls = static_cast<double>(observation.pulls);
  std::ranges::copy(gram.gain(),
                    gains_.begin() + static_cast<std::ptrdiff_t>(pending_count_ * dimension_));
  pending_[pending_count_++] = {observation.arm, weight * pulls, observation.reward_sum / pulls};
}

void ArmWidths::follow(const Offered& offered) noexcept {
  for (std::size_t i = 0; i < pending_count_; ++i) {
    const auto [arm, weight, reward] = pending_[i];
    kernels::score_arms(offered.view(), std::span(gains_).subspan(i * dimension_, dimension_),
                        products_);
    std::fill(products_.begin() + static_cast<std::ptrdiff_t>(offered.size()), products_.end(),
              0.0);
    const double shrink = weight / (1.0 + weight * std::max(0.0, products_[arm]));
    kernels::follow_pull(products_, shrink * (reward - means_[arm]), shrink, means_, squared_);
  }
  pending_count_ = 0;
}

void ArmWidths::refresh(const Offered& offered, const RidgeModel& gram,
                        std::span<const double> theta) {
  resize(offered.size());
  if (!theta.empty()) kernels::score_arms(offered.view(), theta, std::span(means_).first(count_));
  gram.squared_widths(offered.view(), std::span(squared_).first(count_));
  pending_count_ = 0;
  stale_ = false;
  round_ = offered.round();
}

void ArmWidths::persist(Archive& archive) {
  archive(stale_);
  archive(round_);
  archive(pulls_);
  archive(next_refresh_);
  archive(pending_count_);
  archive.require(pending_count_ <= most_pending, "more pulls than can wait");
  for (auto& [arm, weight, reward] : pending_) {
    archive(arm);
    archive(weight);
    archive(reward);
  }
  archive.fixed(gains_);
  archive(count_);
  archive(squared_);
  archive(means_);
  archive.require(squared_.size() == means_.size() && count_ <= squared_.size(),
                  "widths of another number of arms");
  for (std::size_t i = 0; i < pending_count_ && archive.ok(); ++i)
    archive.require(pending_[i].arm < count_, "an arm that does not exist");
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
