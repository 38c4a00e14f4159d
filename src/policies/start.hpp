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
    look();
  }

  // Whether the model decides from now on.
  [[nodiscard]] bool over() const noexcept { return over_; }
  // Nothing when the model decides; `count` actions are offered.
  std::optional<std::size_t> next(std::size_t count, Rng& rng) {
    std::optional<std::size_t> place;
    if (!basis_.empty()) {
      place = basis_.back();
      basis_.pop_back();
    } else if (random_left_ > 0) {
      place = static_cast<std::size_t>(rng.below(count));
      --random_left_;
    } else if (handed_out_ < count) {
      place = static_cast<std::size_t>(handed_out_++);
    }
    look();
    return place;
  }
  // A fixed arm that was pulled need not be pulled for the basis.
  void pulled(ArmId arm) noexcept {
    std::erase(basis_, arm);
    look();
  }

  void persist(Archive& archive) {
    archive(basis_);
    archive(random_left_);
    archive(handed_out_);
    look();
  }

 private:
  // With `each` there may be more actions in any round to come.
  void look() noexcept { over_ = basis_.empty() && random_left_ == 0 && !each_; }

  std::vector<ArmId> basis_;
  bool each_;
  std::uint64_t random_left_;
  std::uint64_t handed_out_ = 0;  // with `each`
  bool over_ = false;
};

}  // namespace phe
