// FourierFeatures: a map of x under which a linear model is kernel regression (Rahimi & Recht
// 2007).
//
//   phi_i(x) = sqrt(2 / D) cos(w_i^T x + b_i),  w_i ~ N(0, I / scale^2),  b_i uniform,
//
// so that phi(x)^T phi(y) is near exp(-|x - y|^2 / (2 scale^2)) for large D. With `linear`, x
// itself stands before weight phi: a small weight says that the mean is linear but for a small
// rest, since a ridge of lambda on what phi is multiplied by is then one of lambda / weight^2. With
// `orthogonal`, each d of the w_i in turn are orthogonal, with the lengths that they had: the same
// mean of products, and less variance (Yu et al. 2016). Immutable; the same `draw` gives the same
// map, to the bit, everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phe/arms.hpp"
#include "phe/result.hpp"

namespace phe {

struct FourierOptions {
  std::size_t features = 256;  // D
  double scale = 1.0;          // how far apart points must be for their rewards to differ
  bool linear = false;
  double weight = 1.0;  // of phi
  bool orthogonal = false;
  std::uint64_t draw = 1;  // which random features: a seed
};

class FourierFeatures {
 public:
  // Precondition: dimension and features >= 1, scale and weight > 0.
  FourierFeatures(std::size_t dimension, const FourierOptions& options);

  [[nodiscard]] std::size_t inputs() const noexcept { return inputs_; }
  [[nodiscard]] std::size_t outputs() const noexcept {
    return (linear_ ? inputs_ : 0) + turns_.size();
  }
  // Precondition: inputs() numbers in x, outputs() in phi.
  void map(std::span<const double> x, std::span<double> phi) const noexcept;
  [[nodiscard]] Result<Arms> map(const Arms& arms) const;

 private:
  void make_orthogonal(std::size_t first, std::size_t count) noexcept;

  std::size_t inputs_;
  bool linear_;
  double height_;                // weight sqrt(2 / D)
  std::vector<double> weights_;  // w / (2 pi), input by input, so that sums run over outputs
  std::vector<double> turns_;    // b / (2 pi)
};

}  // namespace phe
