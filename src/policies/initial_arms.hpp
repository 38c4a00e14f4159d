// InitialArms: the first pulls of policies that start on a basis of R^d (lines 10-11 of Algorithm
// 1), each arm once.
#pragma once

#include <algorithm>
#include <vector>

#include "phe/arms.hpp"

namespace phe {

class InitialArms {
 public:
  InitialArms() = default;  // none
  explicit InitialArms(const Arms& arms) : left_(arms.independent_arms()) {
    std::ranges::reverse(left_);  // pulled from the back
  }

  [[nodiscard]] bool empty() const noexcept { return left_.empty(); }
  // Precondition: !empty().
  [[nodiscard]] ArmId next() const noexcept { return left_.back(); }
  void pulled(ArmId arm) noexcept {
    if (!left_.empty()) std::erase(left_, arm);
  }

 private:
  std::vector<ArmId> left_;
};

}  // namespace phe
