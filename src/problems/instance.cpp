#include <algorithm>

#include "phe/problem.hpp"

namespace phe {

Instance::Instance(Arms arms, std::vector<double> means, RewardRange range)
    : arms_(std::move(arms)),
      means_(std::move(means)),
      best_mean_(*std::ranges::max_element(means_)),
      range_(range) {}

}  // namespace phe
