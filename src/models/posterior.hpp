// GaussianPosterior: N(G^-1 b, G^-1) with G = ridge I + weight sum x x^T and b = weight sum x y,
// the posterior of theta under the prior N(0, I / ridge) and rewards of variance 1 / weight.
//
// Kept as a square root S of the covariance, S S^T = G^-1, and as w = S^T b, so that a draw is one
// product, theta = S (w + z) with z ~ N(0, I). An observation updates both in O(d^2) (Potter 1963),
// never O(d^3): with r = sqrt(weight) x, s = S^T r and alpha = 1 + s^T s,
//
//   S <- S (I - gamma s s^T),   gamma = 1 / (alpha + sqrt(alpha)).
//
// Every few thousand observations S is factorised anew from G, which is summed beside it, so
// rounding does not pile up. Not thread-safe.
#pragma once

#include <cstdint>
#include <span>

#include "core/aligned_vector.hpp"
#include "phe/rng.hpp"

namespace phe {

class Archive;

class GaussianPosterior {
 public:
  // Precondition: ridge > 0, weight > 0.
  GaussianPosterior(std::size_t dimension, double ridge, double weight);

  // x, padded, was observed `pulls` times, and the rewards add up to `reward_sum`.
  void learn(std::span<const double> x, double pulls, double reward_sum) noexcept {
    settle(x, pulls, reward_sum);
    follow(x, pulls, reward_sum);
  }
  // The two halves of it: S and w follow at once, the sums G and b may come later, for many
  // observations of one x together, but before the posterior is due to be factorised.
  void follow(std::span<const double> x, double pulls, double reward_sum) noexcept;
  void settle(std::span<const double> x, double pulls, double reward_sum) noexcept;
  // Whether the next `follow` factorises.
  [[nodiscard]] bool due() const noexcept;

  // theta ~ N(G^-1 b, scale^2 G^-1); scale 0 gives the mean. Valid until the next call.
  std::span<const double> sample(double scale, Rng& rng) noexcept;
  // The last sample.
  [[nodiscard]] std::span<const double> sampled() const noexcept {
    return std::span(theta_).first(dimension_);
  }

  // Factorises G from scratch: O(d^3).
  void refactorise() noexcept;

  // Takes in the observations of `other`, with the same prior. O(d^3).
  void merge(const GaussianPosterior& other) noexcept;
  void persist(Archive& archive);

  // S(i, j).
  [[nodiscard]] double root(std::size_t i, std::size_t j) const noexcept {
    return root_[j * stride_ + i];
  }

 private:
  void sum_rows() noexcept;

  double ridge_;
  double weight_;
  std::size_t dimension_;
  std::size_t stride_;           // rows of a column, padded to a multiple of 8
  AlignedVector root_;           // S
  AlignedVector whitened_;       // w = S^T b
  AlignedVector gram_;           // sum r r^T, the lower triangle, but for the last few r
  AlignedVector rows_;           // these
  std::uint64_t row_count_ = 0;  // how many they are
  AlignedVector target_;         // b
  std::uint64_t learnt_ = 0;     // calls of learn
  AlignedVector sum_, factor_;   // work space of refactorise
  AlignedVector row_, image_, gain_, theta_;
};

}  // namespace phe
