// FirstRounds: what a policy does before its model decides, as Start says. Each action is handed
// out once, whether its reward has come or not.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "phe/arms.hpp"
#include "phe/policy.hpp"
#include "phe/rng.hpp"
#include "support/archive.hpp"

namespace phe {

class FirstRounds {
 public:
  FirstRounds(Start start, const Arms& arms)
      : each_(start == Start::each), random_left_(start == Start::random ? arms.dimension() : 0) {
    if (start == Start::basis) basis_ = arms.independent_arms();
    std::ranges::reverse(basis_);  // handed out from the back
  }

  // Whether the model decides from now on.
  [[nodiscard]] bool over() const noexcept { return basis_.empty() && random_left_ == 0 && !each_; }
  // Nothing when the model decides; `count` actions are offered.
  std::optional<std::size_t> next(std::size_t count, Rng& rng) {
    if (!basis_.empty()) {
      const ArmId arm = basis_.back();
      basis_.pop_back();
      return arm;
    }
    if (random_left_ > 0) {
      --random_left_;
      return static_cast<std::size_t>(rng.below(count));
    }
    if (each_ && handed_out_ < count) return static_cast<std::size_t>(handed_out_++);
    return std::nullopt;
  }
  // A fixed arm that was pulled need not be pulled for the basis.
  void pulled(ArmId arm) noexcept {
    if (!basis_.empty()) std::erase(basis_, arm);
  }

  void persist(Archive& archive) {
    archive(basis_);
    archive(random_left_);
    archive(handed_out_);
  }

 private:
  std::vector<ArmId> basis_;
  bool each_;
  std::uint64_t random_left_;
  std::uint64_t handed_out_ = 0;  // with `each`
};

}  // namespace phe
