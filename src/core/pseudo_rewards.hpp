// PseudoRewards: the random half of the perturbed history (Section 3.2).
//
// Row i was observed T_i times, so the history carries m_i = ceil(a T_i) pseudo-rewards of it, each
// Ber(1/2) and fresh in each round. A linear or logistic model sees of them only the vector
//
//   sum_i x_i U_i,   U_i ~ B(m_i, 1/2).
//
// The pseudo-rewards that a row of the history will get in the next rounds are independent of all
// that happens until then. So they are drawn for many rounds at a time, row by row, and the vectors
// are one small matrix product; an observation made meanwhile adds its own pseudo-rewards to the
// vectors that are left. Exactly the same law, at less than half the cost (docs/decisions/004).
//
// Beside the rows there may be a Gaussian part: the prior, perturbed as if it were data, and, with
// bounded memory, the rows older than the last N, replaced by a normal vector with exactly their
// mean sum_i x_i m_i / 2 and covariance sum_i (m_i / 4) x_i x_i^T (docs/contexts.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_vector.hpp"
#include "core/perturbation_scale.hpp"
#include "core/rows.hpp"
#include "kernels/matrix.hpp"
#include "phe/rng.hpp"

namespace phe {

class Archive;

class PseudoRewards {
 public:
  // How they are drawn: `repeated` suits rows that are few and observed often, as fixed arms are;
  // `single` rows that are many and observed once.
  enum class Kind { repeated, single };

  // `rows`: how many there will be at most, if that is known.
  PseudoRewards(PerturbationScale scale, std::size_t dimension, Kind kind, std::size_t rows = 0);
  // A copy draws all that it needs from the rng that it is given.
  PseudoRewards(const PseudoRewards& other);
  PseudoRewards(PseudoRewards&&) noexcept = default;
  PseudoRewards& operator=(PseudoRewards&&) noexcept = default;
  ~PseudoRewards() = default;

  // Adds independent noise N(0, deviation^2) to each entry of every draw.
  void add_prior(double deviation) noexcept;

  // `row` was observed `pulls` more times; returns by how many its pseudo-rewards grew. Exact up to
  // 2^40 pseudo-rewards per row.
  std::uint64_t add_pulls(RowId row, std::uint64_t pulls);
  // The same where the caller counts: how many pseudo-rewards the row has now, no fewer than
  // before.
  std::uint64_t add_pulls(RowId row, std::uint64_t pulls, std::uint64_t trials);
  // The same for a row that has ceil(a) of each pull, however many these are.
  std::uint64_t add_single_pulls(RowId row, std::uint64_t pulls);
  void let_caller_count() noexcept { caller_counts_ = true; }
  // The first `count` rows join the Gaussian part. The caller then drops them from its rows.
  void fold(const Rows& rows, std::size_t count);

  // sum_i x_i U_i with fresh U_i ~ B(m_i, 1/2), all independent, of this call and of all others,
  // plus the Gaussian part. d entries, valid until the next call.
  std::span<const double> draw(const Rows& rows, Rng& rng);

  [[nodiscard]] std::uint64_t trials(RowId row) const noexcept { return trials_[row]; }
  [[nodiscard]] std::uint64_t pulls(RowId row) const noexcept { return pulls_[row]; }
  [[nodiscard]] std::size_t rows() const noexcept { return pulls_.size(); }

  // Takes over the Gaussian part of `other`, but for a prior: that counts once.
  void merge_folded(const PseudoRewards& other);
  void persist(Archive& archive);

 private:
  [[nodiscard]] std::size_t look_ahead() const noexcept;
  void draw_ahead(const Rows& rows, Rng& rng);
  void draw_batch(const Rows& rows, std::size_t round, Rng& rng);
  void add_growth(const Rows& rows, RowId row, Rng& rng);
  void add_flips(const Rows& rows, RowId row, std::uint64_t flips, std::size_t rounds, Rng& rng);
  [[nodiscard]] bool has_folded_rows() const noexcept;
  void draw_gaussian(Rng& rng) noexcept;
  void add_to_gaussian(const Rows& rows, std::size_t count) noexcept;
  void factorise(const kernels::MatrixView& covariance) noexcept;

  PerturbationScale scale_;
  std::size_t dimension_;
  std::size_t stride_;
  Kind kind_;
  // By row:
  std::vector<std::uint64_t> pulls_;         // T_i
  std::vector<std::uint64_t> trials_;        // m_i
  std::vector<std::uint64_t> drawn_trials_;  // those in the vectors ahead
  std::vector<RowId> grown_;                 // rows with more of them than that

  AlignedVector ahead_;  // the vectors of the rounds to come, `stride_` entries each
  std::size_t rounds_left_ = 0;

  bool caller_counts_ = false;
  double prior_variance_ = 0.0;
  bool gaussian_ = false;
  bool folded_ = false;        // whether it has more than a prior, whose L is a multiple of I
  AlignedVector folded_mean_;  // sum_i x_i m_i / 2 of the rows folded
  AlignedVector factor_;       // L, with L L^T the covariance of the Gaussian part; by column

  AlignedVector draws_, normals_, covariance_;  // work space
  AlignedVector sum_;                           // what the last draw returned
};

}  // namespace phe
