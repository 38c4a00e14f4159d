// Offered: what may be chosen now, and line 9 of Algorithm 1 over it.
//
// Either fixed arms, shared and, when there are many, screened in a copy of low precision; or the
// actions of the present round, copied feature by feature as they come. Not thread-safe: one per
// policy; copies share fixed arms.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned_vector.hpp"
#include "phe/actions.hpp"
#include "phe/arms.hpp"
#include "phe/result.hpp"
#include "phe/rng.hpp"

namespace phe {

class Archive;
namespace kernels {
class ScreenedArms;
}

class Offered {
 public:
  // The arms for ever; with Arms::none(d), whatever `offer` is given.
  explicit Offered(Arms arms);
  Offered(const Offered& other);
  Offered(Offered&&) noexcept = default;
  Offered& operator=(Offered&&) noexcept = default;
  ~Offered() = default;

  // The actions of a new round. Refused: no actions, the wrong number of features, one that is not
  // finite.
  Result<void> offer(const Actions& actions);

  [[nodiscard]] std::size_t size() const noexcept { return view_.arms; }
  [[nodiscard]] std::size_t dimension() const noexcept { return view_.dimension; }
  [[nodiscard]] const FeatureView& view() const noexcept { return view_; }
  [[nodiscard]] const Arms& arms() const noexcept { return arms_; }
  // Counts the calls of offer: what was computed for another round's actions is stale.
  [[nodiscard]] std::uint64_t round() const noexcept { return round_; }

  // The action with the largest x^T theta, ties broken by `rng` without favour. From 10^4 fixed
  // arms on, nearly all are ruled out in a copy of low precision; the arm, and the draws from
  // `rng`, are those of the full pass. Precondition: d entries.
  ArmId best(std::span<const double> theta, Rng& rng) noexcept;
  // The full pass.
  ArmId best_of_all(std::span<const double> theta, Rng& rng) noexcept;

  void persist(Archive& archive);

 private:
  ArmId best_of(std::span<const ArmId> candidates, std::span<const double> theta,
                Rng& rng) noexcept;
  [[nodiscard]] FeatureView page(std::size_t first) const noexcept;

  Arms arms_;
  std::shared_ptr<const kernels::ScreenedArms> screened_;  // null for few arms
  AlignedVector features_;                                 // of the round's actions
  FeatureView view_;                                       // of the arms, or of features_
  std::uint64_t round_ = 0;
  std::vector<double> scores_;  // of a page of actions
};

}  // namespace phe
