// LinUcb: optimism in the face of uncertainty in a linear bandit. It takes
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
// Estimates and widths of fixed arms follow each pull by one pass over the arms, O(K d + d^2);
// those of a round's actions are computed, O(K d^2) for the few of them that may be the best
// (models/optimistic_choice.hpp). In contexts L is the largest norm observed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/score_arms.hpp"
#include "models/arm_widths.hpp"
#include "models/optimistic_choice.hpp"
#include "policies/configured.hpp"
#include "policies/linear_learner.hpp"

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
};

class LinUcb final : public Configured<LinUcb, LinUcbOptions, LinearLearner> {
 public:
  static const Keys<LinUcbOptions>& keys();
  LinUcb(const Arms& arms, const LinUcbOptions& options);

  [[nodiscard]] Result<void> weighable() const override { return {}; }
  void observe(const Observation& observation) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  [[nodiscard]] bool traceless() const noexcept override;
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  double score(std::span<const double> x, Rng& rng) override;
  std::span<const double> theta() override { return estimate(); }
  [[nodiscard]] bool certain() const noexcept override { return true; }
  void persist(Archive& archive) override;
  void merge(const Learner& other) override;

  // beta_t of the next round.
  [[nodiscard]] double radius() const noexcept;
  // x_i^T theta-hat and |x_i|^2_{G^-1} of what is offered, after the last observation.
  [[nodiscard]] const ArmWidths& bounds(const Offered& offered);

 private:
  struct Completed {};
  LinUcb(const Arms& arms, const LinUcbOptions& options, Completed);
  // Fills scores_ with the upper bounds, padded.
  kernels::BestArms best_bounds(Offered& offered);
  [[nodiscard]] double fixed_radius() const noexcept;
  void see_norm(double squared) noexcept;
  [[nodiscard]] std::span<const double> estimate();

  ArmWidths widths_;
  OptimisticChoice optimistic_;   // in contexts
  double squared_norm_;           // L^2
  double fixed_radius_;           // the whole radius, but for the theorem's growing part
  double log_determinant_ = 0.0;  // log(det G / det(ridge I))
  bool fitted_ = false;           // the model's solution is theta-hat
  std::vector<double> scores_;
};

}  // namespace phe
