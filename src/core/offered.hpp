// Offered: what may be chosen now, and line 9 of Algorithm 1 over it.
//
// Either fixed arms, shared and, when there are many, screened in a copy of low precision; or the
// actions of the present round. These are scored as they come, row by row; whoever asks for a view
// of them gets a copy feature by feature. Not thread-safe: one per policy; copies share fixed arms.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned_vector.hpp"
#include "kernels/score_arms.hpp"
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

  // The actions of a new round, which are read where they are until `close`. Refused: no actions,
  // the wrong number of features, one that is not finite.
  Result<void> offer(const Actions& actions);
  // The same in two steps: what `best` or `view` sees of the features on the way need not be looked
  // at again. The choice counts once `check` has not refused a feature that is not finite; when it
  // has, the round was none.
  Result<void> offer_unchecked(const Actions& actions);
  Result<void> check();
  // The round's choice is made: what the caller offered is not looked at any more.
  void close() noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return view_.arms; }
  [[nodiscard]] std::size_t dimension() const noexcept { return view_.dimension; }
  [[nodiscard]] const FeatureView& view() const noexcept {
    if (!rows_.empty()) make_columns();
    return view_;
  }
  // The round's actions as they came, row by row. Precondition: nobody asked for a view of them.
  [[nodiscard]] std::span<const double> rows() const noexcept { return rows_; }
  [[nodiscard]] const Arms& arms() const noexcept { return arms_; }
  // Whether the same is offered in every round.
  [[nodiscard]] bool fixed() const noexcept { return !arms_.empty(); }
  // Counts the calls of offer: what was computed for another round's actions is stale.
  [[nodiscard]] std::uint64_t round() const noexcept { return round_; }

  // The action with the largest x^T theta, ties broken by `rng` without favour. From 10^4 fixed
  // arms on, nearly all are ruled out in a copy of low precision; the arm, and the draws from
  // `rng`, are those of the full pass. Precondition: d entries.
  ArmId best(std::span<const double> theta, Rng& rng) noexcept {
    if (one_page_) [[likely]]
      if (const auto best = kernels::best_scored(view_, theta, scores_);
          best.count == 1 && best.score > -std::numeric_limits<double>::infinity())
        return best.first;
    return best_anywhere(theta, rng);
  }
  // The full pass.
  ArmId best_of_all(std::span<const double> theta, Rng& rng) noexcept;

  // x^T theta of each action, as `best` compares them. Precondition: as many scores as actions.
  void score(std::span<const double> theta, std::span<double> scores) noexcept;

  void persist(Archive& archive);

 private:
  ArmId best_anywhere(std::span<const double> theta, Rng& rng) noexcept;
  void accept(const Actions& actions);
  void make_room(std::size_t actions);
  void make_columns() const noexcept;
  ArmId best_of(std::span<const ArmId> candidates, std::span<const double> theta,
                Rng& rng) noexcept;
  [[nodiscard]] FeatureView page(std::size_t first) const noexcept;

  Arms arms_;
  std::shared_ptr<const kernels::ScreenedArms> screened_;  // null for few arms
  FeatureView view_;                                       // of the arms, or of features_
  // Of the round's actions: the caller's rows until columns are made of them.
  mutable std::span<const double> rows_;
  std::span<const double> given_;      // the same until the round is closed
  mutable bool known_finite_ = false;  // every feature of the round
  mutable AlignedVector features_;
  std::uint64_t round_ = 0;
  bool one_page_;               // fixed arms, so few that one pass scores them all
  std::vector<double> scores_;  // of a page of arms, or of the round's actions
};

}  // namespace phe
