// ArmWidths: for all offered actions, |x_k|^2 in the norm of G^-1, G = ridge I + weight sum x x^T,
// and, of a linear model with that G, the estimates x_k^T theta-hat.
//
// A pull of x changes them all by Sherman-Morrison: with g = G^-1 x and c_k = x_k^T g,
//
//   |x_k|^2 -= w c_k^2 / (1 + w c),   x_k^T theta-hat += w (y - x^T theta-hat) c_k / (1 + w c),
//
// c being that of the pulled arm: for fixed arms one pass over them, O(K d + d^2). Where actions
// are new in each round, and to throw rounding errors away, they are computed anew, O(K d^2). Not
// thread-safe.
#pragma once

#include <cstdint>
#include <span>

#include "core/aligned_vector.hpp"
#include "core/observation.hpp"
#include "core/offered.hpp"
#include "models/ridge.hpp"

namespace phe {

class Archive;

class ArmWidths {
 public:
  // For as many fixed arms, or as whatever is offered.
  ArmWidths(std::size_t dimension, std::size_t arms);

  // Right after `observation` was added to `gram` with this weight per pull.
  void pulled(const RidgeModel& gram, const Observation& observation, double weight) noexcept;
  // All is new: after a merge, say.
  void forget() noexcept { stale_ = true; }

  // Brings them up to date with `offered`. `fit` gives theta-hat, or nothing when no means are
  // needed.
  template <class Fit>
  void bring_up_to_date(const Offered& offered, const RidgeModel& gram, const Fit& fit) {
    if (stale_ || offered.round() != round_ || padded(offered.size()) != count_)
      refresh(offered, gram, fit());
  }

  // Padded; valid after bring_up_to_date.
  [[nodiscard]] std::span<const double> squared() const noexcept {
    return std::span(squared_).first(count_);
  }
  [[nodiscard]] std::span<const double> means() const noexcept {
    return std::span(means_).first(count_);
  }

  void persist(Archive& archive);

 private:
  void refresh(const Offered& offered, const RidgeModel& gram, std::span<const double> theta);
  void resize(std::size_t arms);

  bool arms_;  // they are fixed
  bool stale_ = true;
  std::uint64_t round_ = 0;  // of what is offered
  std::uint64_t pulls_ = 0;
  std::uint64_t next_refresh_;
  std::size_t count_ = 0;
  AlignedVector squared_, means_, products_;
};

// L^2 = max_k |x_k|^2.
double largest_squared_norm(const Arms& arms) noexcept;

}  // namespace phe
