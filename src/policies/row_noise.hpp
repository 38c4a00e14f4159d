// RowNoise: sum_i x_i a sqrt(T_i) Z_i with fresh Z_i ~ N(0, 1): Gaussian noise of scale a on each
// of the T_i rewards of row i, which enters through its sum. LinFPL and LogFPL share it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rows.hpp"
#include "kernels/normal.hpp"
#include "kernels/weighted_sum.hpp"
#include "phe/rng.hpp"
#include "support/archive.hpp"

namespace phe {

class RowNoise {
 public:
  // `prior_deviation`: of each entry of the noise on a perturbed prior, 0 for none.
  RowNoise(double scale, double prior_deviation, const Arms& arms)
      : scale_(scale),
        prior_deviation_(prior_deviation),
        pulls_(arms.view().stride),
        deviations_(arms.view().stride),
        weights_(arms.view().stride),
        sum_(arms.dimension()) {}

  void add_pulls(RowId row, std::uint64_t pulls) {
    if (row >= pulls_.size()) {
      pulls_.resize(padded(2 * (row + 1)));
      deviations_.resize(pulls_.size());
      weights_.resize(pulls_.size());
    }
    pulls_[row] += pulls;
    deviations_[row] = scale_ * std::sqrt(static_cast<double>(pulls_[row]));
  }
  [[nodiscard]] std::uint64_t pulls(RowId row) const noexcept { return pulls_[row]; }

  // Of all rows; valid until the next call. Precondition: rows by feature, too.
  std::span<const double> draw(const Rows& rows, Rng& rng) {
    for (double& entry : sum_)
      entry = prior_deviation_ > 0 ? prior_deviation_ * kernels::normal(rng) : 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      weights_[i] = deviations_[i] * kernels::normal(rng);
    for (std::size_t i = rows.size(); i < rows.view().padded_arms(); ++i) weights_[i] = 0.0;
    kernels::add_weighted_sum(rows.view(), weights_, sum_);
    return sum_;
  }

  void persist(Archive& archive, const Rows& rows) {
    archive(pulls_);
    archive(deviations_);
    archive.require(
        deviations_.size() == pulls_.size() && pulls_.size() >= rows.view().padded_arms(),
        "noise of another number of rows");
    if (!archive.ok()) return;
    weights_.resize(pulls_.size());
  }

 private:
  double scale_;
  double prior_deviation_;
  std::vector<std::uint64_t> pulls_;  // T_i
  std::vector<double> deviations_;    // a sqrt(T_i)
  std::vector<double> weights_;       // a sqrt(T_i) Z_i
  std::vector<double> sum_;
};

}  // namespace phe
