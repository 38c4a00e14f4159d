// Offer: the actions of a round as Python gives them, X and `actions`, for a policy of some kind.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bound_policy.hpp"

namespace phe::python {

// Names of a disjoint model's actions: a number of them, or their names.
class ActionNames {
 public:
  ActionNames() = default;
  explicit ActionNames(py::handle actions);

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] Actions in(std::span<const double> context) const noexcept {
    return ids_.empty() ? Actions::context(context, count_) : Actions::context(context, ids_);
  }

 private:
  std::vector<std::uint64_t> ids_;
  std::size_t count_ = 0;
};

// One round, or many: X has one more dimension then, or `n` says how often the same is offered.
class Offer {
 public:
  // Precondition: the policy is not of Kind::arms.
  Offer(const BoundPolicy& policy, py::handle x, py::handle actions, bool many);

  [[nodiscard]] bool many() const noexcept { return rounds_.has_value(); }
  [[nodiscard]] std::size_t rounds() const noexcept { return rounds_.value_or(1); }
  [[nodiscard]] Actions round(std::size_t i) const noexcept;

 private:
  Numbers x_;
  ActionNames names_;
  bool disjoint_;
  std::size_t rows_ = 1;        // of a round
  std::size_t round_size_ = 0;  // numbers of a round
  std::optional<std::size_t> rounds_;
};

// Raises TypeError unless `actions` is given to those, and only those, with one model per action.
void check_given(const BoundPolicy& policy, py::handle actions, const char* name);
// Raises TypeError where X is given to a policy with fixed arms, which choose without it.
void refuse_offer(py::handle x, py::handle actions);

}  // namespace phe::python
