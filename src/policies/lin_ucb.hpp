// LinUcb: optimism in the face of uncertainty in a linear bandit. It pulls
//
//   argmax_i x_i^T theta-hat + beta_t |x_i|_{G^-1},
//   G = ridge I + sum x x^T / sigma^2,   theta-hat = G^-1 sum x y / sigma^2.
//
// - OFUL of Abbasi-Yadkori, Pal & Szepesvari 2011 (Theorem 2): the radius
//     beta_t = (R / sigma) sqrt(2 log(det(G_t)^1/2 det(ridge I)^-1/2 / delta)) + sqrt(ridge) S,
//   with their Gram matrix, sigma = 1, unless asked otherwise;
// - the radius that the authors of LinPHE compare with, the determinant bounded at the horizon:
//     beta = sqrt(ridge) S + R sqrt(d log((1 + n L^2 / ridge) / delta)),   L = max |x_i|,
//   on the Gram matrix with sigma = 1/2;
// - a constant radius (LinUCB of Li, Chu, Langford & Schapire 2010), sigma = 1.
//
// Estimates and widths of all arms follow each pull by one pass over the arms: O(K d + d^2).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/linear_model.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"

namespace phe {

enum class Radius { authors, theorem, constant };

struct LinUcbOptions {
  Radius radius = Radius::authors;
  double width = 1.0;                    // beta, when the radius is constant
  double ridge = 1.0;                    // lambda
  std::optional<double> sigma;           // 1/2 for the authors' radius, else 1
  std::optional<double> delta;           // probability of leaving the confidence set; 1 / n
  double noise = 0.5;                    // R: rewards are R-sub-Gaussian
  std::optional<double> parameter_norm;  // S: bound of |theta*|; sqrt(d)
  std::uint64_t rounds = 10'000;         // n
  RewardRange rewards;                   // [m, M]; rewards are mapped to [0, 1]
};

class LinUcb final : public Policy {
 public:
  static Result<LinUcb> create(Arms arms, const LinUcbOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "linucb"; }

  // beta_t of the next round.
  [[nodiscard]] double radius() const noexcept;
  // x_i^T theta-hat and |x_i|^2_{G^-1} of all arms.
  [[nodiscard]] std::span<const double> means() const noexcept { return means_; }
  [[nodiscard]] std::span<const double> squared_widths() const noexcept { return squared_widths_; }

 private:
  LinUcb(Arms arms, const LinUcbOptions& options);
  // Means and widths from the model itself, O(K d^2).
  void refresh() noexcept;

  LinUcbOptions options_;
  LinearModel model_;
  std::uint64_t pulls_ = 0;
  double fixed_radius_;           // the whole radius, but for the theorem's growing part
  double log_determinant_ = 0.0;  // log(det G / det(ridge I))
  std::vector<double> means_;
  std::vector<double> squared_widths_;
  std::vector<double> scores_;
  std::vector<double> row_;
  std::uint64_t next_refresh_;
};

}  // namespace phe
