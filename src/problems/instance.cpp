#include <algorithm>

#include "phe/problem.hpp"

namespace phe {

Instance::Instance(Arms arms, std::vector<double> means, RewardRange range)
    : arms_(std::move(arms)),
      means_(std::move(means)),
      best_mean_(*std::ranges::max_element(means_)),
      range_(range) {}

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
