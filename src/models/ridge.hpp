// RidgeModel: G = ridge * I + sum of weight * x x^T, and its inverse, in O(d^2) a pull.
//
// The inverse follows each pull by Sherman-Morrison. On its own that drifts (speed and figures:
// docs/decisions/003), so G is factorised anew at least every 4096 pulls, and sooner when the
// residual |G (G^-1 x) - x| / |x|, measured every few pulls, has grown. G itself is summed in
// blocks, so its own rounding error stays near 1 ulp over millions of pulls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_vector.hpp"
#include "phe/arms.hpp"

namespace phe {

class Archive;

class RidgeModel {
 public:
  // Precondition: dimension >= 1, ridge > 0.
  RidgeModel(std::size_t dimension, double ridge);

  // G += weight * x x^T. Precondition: x has d finite entries, weight > 0.
  void add(std::span<const double> x, double weight) noexcept;
  // The same for x padded with zeros to a multiple of 8 entries, which need not be copied.
  void add_padded(std::span<const double> x, double weight) noexcept;
  // G^-1 x for the last x that was added, with the G before. Valid until the next.
  [[nodiscard]] std::span<const double> gain() const noexcept {
    return std::span(gain_).first(dimension_);
  }

  // G^-1 b or G^-1 (b + noise), valid until the next call. All have d entries.
  std::span<const double> solve(std::span<const double> b) const noexcept;
  std::span<const double> solve(std::span<const double> b,
                                std::span<const double> noise) const noexcept;
  // What the last solve returned, at first zeros.
  [[nodiscard]] std::span<const double> solution() const noexcept {
    return std::span(solution_).first(dimension_);
  }

  // x^T G^-1 x, the squared confidence width of x, and of all of x; never below 0 by rounding.
  [[nodiscard]] double squared_width(std::span<const double> x) const noexcept;
  void squared_widths(const FeatureView& x, std::span<double> widths) const noexcept;

  // Numbers c_j, padded, with x^T G^-1 x <= sum_j c_j x_j^2 for every x, rounding included: O(d^2)
  // once for all x.
  void width_bounds(std::span<double> bounds) const noexcept;

  // G += the sum of weight * x x^T that `other`, with the same ridge, has taken in. O(d^3).
  void merge(const RidgeModel& other) noexcept;
  void persist(Archive& archive);

  // log(det G / det(ridge I)), from the last factorisation. Precondition: nothing was added since.
  [[nodiscard]] double log_determinant() const noexcept { return log_determinant_; }

  // Factorises G from scratch, O(d^3). Where G is singular to rounding, as if the ridge were as
  // large as that rounding: the inverse is always finite.
  void refactorise() noexcept;

  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] double ridge() const noexcept { return ridge_; }
  [[nodiscard]] double gram(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] double inverse(std::size_t i, std::size_t j) const noexcept {
    return inverse_[j * stride_ + i];
  }
  // The residual at the last check, and how often the model was factorised because of it.
  [[nodiscard]] double residual() const noexcept { return residual_; }
  [[nodiscard]] std::uint64_t refactorisations() const noexcept { return refactorisations_; }

 private:
  void check_residual(const double* x) noexcept;
  double measure_residual(const double* x) noexcept;
  void sum_rows() noexcept;

  std::size_t dimension_;
  std::size_t stride_;  // rows of a column, padded to a multiple of 8
  double ridge_;
  AlignedVector gram_;              // the settled part of G
  AlignedVector recent_;            // what was added since, but for the last few
  AlignedVector rows_;              // rows sqrt(weight) x: one for each pull of a check period
  std::size_t row_count_ = 0;       // those of them that are not in `recent_` yet
  AlignedVector inverse_;           // G^-1
  AlignedVector factor_;            // work space of a factorisation
  AlignedVector row_;               // x, padded
  AlignedVector gain_;              // padded
  mutable AlignedVector solution_;  // padded
  mutable AlignedVector scratch_;   // work space
  std::uint64_t adds_ = 0;
  std::uint64_t next_factorisation_;
  std::uint64_t refactorisations_ = 0;
  double log_determinant_ = 0.0;
  double residual_ = 0.0;
  double fresh_residual_ = 0.0;  // what the last factorisation left of it
};

}  // namespace phe
