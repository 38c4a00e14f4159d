// GaussianPosterior: N(G^-1 b, G^-1) with G = ridge I + weight sum x x^T and b = weight sum x y,
// the posterior of theta under the prior N(0, I / ridge) and rewards of variance 1 / weight.
//
// Kept as a square root S of the covariance, S S^T = G^-1, and as w = S^T b, so that a draw is one
// product, theta = S (w + z) with z ~ N(0, I). A pull updates both in O(d^2) (Potter 1963), never
// O(d^3): with r = sqrt(weight) x, s = S^T r and alpha = 1 + s^T s,
//
//   S <- S (I - gamma s s^T),   gamma = 1 / (alpha + sqrt(alpha)).
//
// Every few thousand pulls S is factorised anew from the pull counts, so rounding does not pile up.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phe/aligned_vector.hpp"
#include "phe/arms.hpp"
#include "phe/history.hpp"
#include "phe/rng.hpp"

namespace phe {

class GaussianPosterior {
 public:
  // Precondition: ridge > 0, weight > 0.
  GaussianPosterior(Arms arms, double ridge, double weight);

  void learn(ArmId arm, double reward) noexcept;

  // theta ~ N(G^-1 b, scale^2 G^-1); scale 0 gives the mean. Valid until the next call.
  std::span<const double> sample(double scale, Rng& rng) noexcept;

  // Factorises G, summed from the pull counts, from scratch: O(K d^2 + d^3).
  void refactorise() noexcept;

  [[nodiscard]] const Arms& arms() const noexcept { return arms_; }
  // S(i, j).
  [[nodiscard]] double root(std::size_t i, std::size_t j) const noexcept {
    return root_[j * stride_ + i];
  }

 private:
  Arms arms_;
  double ridge_;
  double weight_;
  History history_;
  std::size_t stride_;           // rows of a column, padded to a multiple of 8
  AlignedVector root_;           // S
  AlignedVector whitened_;       // w = S^T b
  AlignedVector gram_, factor_;  // work space of refactorise
  AlignedVector row_, image_, gain_, theta_;
};

}  // namespace phe
