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

// Stands for a place: any action, with equal probability.
inline constexpr std::size_t any_action = ~std::size_t{0};

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
  // What the next round takes, a place or any; nothing when the model decides. `count` actions are
  // offered.
  [[nodiscard]] std::optional<std::size_t> due(std::size_t count) const noexcept {
    if (!basis_.empty()) return basis_.back();
    if (random_left_ > 0) return any_action;
    if (each_ && handed_out_ < count) return static_cast<std::size_t>(handed_out_);
    return std::nullopt;
  }
  // The round took `place`, which need not be the one that was due: that stays due.
  void take(std::size_t place) noexcept {
    if (!basis_.empty()) {
      if (basis_.back() == place) basis_.pop_back();
    } else if (random_left_ > 0) {
      --random_left_;
    } else if (handed_out_ == place) {
      ++handed_out_;
    }
    look();
  }
  // A fixed arm that was pulled need not be pulled for the basis.
  void pulled(ArmId arm) noexcept {
    std::erase(basis_, arm);
    look();
  }

  // Of as many fixed arms.
  void persist(Archive& archive, std::size_t arms) {
    archive(basis_);
    for (const ArmId arm : basis_) archive.require(arm < arms, "an arm that does not exist");
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
