#include <algorithm>
#include <cassert>

#include "phe/problem.hpp"

namespace phe {

Instance::Instance(Arms arms, std::vector<double> means, RewardRange range)
    : arms_(std::move(arms)),
      means_(std::move(means)),
      best_mean_(means_.empty() ? 0.0 : *std::ranges::max_element(means_)),
      range_(range) {}

ContextInstance::ContextInstance(std::size_t dimension, bool one_context, RewardRange range)
    : Instance(Arms::none(dimension), {}, range), one_context_(one_context) {}

double ContextInstance::reward(std::uint64_t /*round*/, ArmId /*arm*/) const noexcept {
  assert(false && "contexts have no fixed arms");
  return 0.0;
}

double Instance::smallest_gap() const noexcept {
  double smallest = means_.size() > 1 ? best_mean_ - *std::ranges::min_element(means_) : 0.0;
  bool best_seen = false;  // the best arm itself has gap 0 once
  for (const double mean : means_) {
    if (mean == best_mean_ && !best_seen) {
      best_seen = true;
    } else {
      smallest = std::min(smallest, best_mean_ - mean);
    }
  }
  return smallest;
}

}  // namespace phe
