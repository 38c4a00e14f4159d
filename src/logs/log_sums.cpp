#include "logs/log_sums.hpp"

#include <algorithm>
#include <cmath>

namespace phe::logs {

namespace {

// Whether the target may choose an action that the log's policy could not.
bool violates_support(const Decision& decision, std::span<const double> target) {
  for (std::size_t a = 0; a < target.size(); ++a)
    if (target[a] > 0.0 && decision.probabilities[a] == 0.0) return true;
  return false;
}

}  // namespace

void Extent::add(double value) noexcept {
  low = std::min(low, value);
  high = std::max(high, value);
}

void SlotSums::add(const SlotSums& other) noexcept {
  moments.add(other.moments);
  largest_weight = std::max(largest_weight, other.largest_weight);
  over_clip += other.over_clip;
  support_violations += other.support_violations;
}

void Heaviest::add(double amount, const Decision& decision) {
  sum += amount;
  if (amount <= value) return;
  value = amount;
  file = decision.file;
  line = decision.line;
}

void LogSums::add(const Decision& d, double w, std::span<const double> target, const Row& row,
                  const WeightLimits& limits, bool with_model) {
  if (slots_.size() <= d.slot) {
    slots_.resize(d.slot + 1);
    propensity_of_.resize(d.slot + 1);
  }
  SlotSums& slot = slots_[d.slot];
  if (with_model)
    slot.moments.add(row);
  else
    slot.moments.add<columns_without_model>(row);
  slot.largest_weight = std::max(slot.largest_weight, w);
  slot.over_clip += w > limits.clip;
  if (d.probabilities.empty() || target.size() != d.probabilities.size())
    support_is_known_ = false;
  else
    slot.support_violations += violates_support(d, target);

  auto& propensity_of = propensity_of_[d.slot];
  if (propensity_of.size() <= d.action) propensity_of.resize(d.action + 1);
  propensity_of[d.action].add(d.propensity);
  capped_ += d.capped ? 1 : 0;
  rewards_.add(d.reward);
  propensities_.add(d.propensity);
  multiplicities_.add(d.multiplicity);
  heaviest_weight_.add(row[weight], d);
  heaviest_term_.add(std::abs(row[ips]), d);
}

SlotSums LogSums::whole() const noexcept {
  SlotSums sums;
  for (const SlotSums& slot : slots_) sums.add(slot);
  return sums;
}

double LogSums::propensity_spread() const noexcept {
  double spread = 1.0;
  for (const auto& actions : propensity_of_)
    for (const Extent& extent : actions)
      if (extent.low <= extent.high) spread = std::max(spread, extent.high / extent.low);
  return spread;
}

}  // namespace phe::logs
