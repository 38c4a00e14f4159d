// LinEns: ensemble sampling in a linear bandit (Lu & Van Roy, NeurIPS 2017). M models share one
// history, each with noise of its own that is drawn once per pull and kept; a round picks one of
// them at random and takes the best action under it:
//
//   argmax_i x_i^T theta_m,   m uniform on {1, .., M},   theta_m = G^-1 (b + noise_m).
//
// - gaussian: G = ridge I + sum x x^T / sigma^2, b = sum x y / sigma^2; model m starts from a draw
//   of the prior N(0, I / ridge), and each of its rewards has noise N(0, sigma^2). As M grows this
//   is LinTS.
// - bernoulli: the pseudo-rewards of LinPHE: noise_m grows by x U with U ~ B(m', 1/2), where m' is
//   by how many ceil(a T_i) grew. LinPHE would draw them all anew in each round.
//
// The noise of a pull reaches the M models in the next select: O(M d). G is shared, so only the one
// model that is picked costs O(d^2).
#pragma once

#include <cstdint>
#include <vector>

#include "policies/configured.hpp"
#include "policies/flip_law.hpp"
#include "policies/linear_learner.hpp"

namespace phe {

enum class EnsembleNoise { gaussian, bernoulli };

struct LinEnsOptions {
  std::uint64_t models = 30;  // M
  EnsembleNoise noise = EnsembleNoise::gaussian;
  double ridge = 1.0;               // lambda
  double sigma = 0.5;               // of gaussian noise
  double perturbation_scale = 1.0;  // a, of bernoulli noise
  bool perturb_prior = false;       // of bernoulli models: by sqrt(a ridge) / 2 N(0, I)
};

class LinEns final : public Configured<LinEns, LinEnsOptions, LinearLearner> {
 public:
  static const Keys<LinEnsOptions>& keys();
  static Result<void> check(const Arms& arms, const LinEnsOptions& options);
  LinEns(const Arms& arms, const LinEnsOptions& options);

  [[nodiscard]] std::unique_ptr<Learner> clone() const override;
  [[nodiscard]] bool keeps_rows() const noexcept override { return true; }
  [[nodiscard]] Result<void> weighable() const override;
  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  void persist(Archive& archive) override;
  [[nodiscard]] Result<void> mergeable() const override;
  void merge(const Learner& /*other*/) override {}

 private:
  void draw_prior(Rng& rng) noexcept;
  void draw_noise_of(RowId row, Rng& rng) noexcept;
  // Entry j of the noise of model m.
  [[nodiscard]] double& noise(std::size_t m, std::size_t j) noexcept {
    return noise_[j * models_stride_ + m];
  }

  FlipLaw law_;
  bool prior_drawn_ = false;
  std::vector<std::uint64_t> pulls_;            // by row
  std::vector<std::uint64_t> perturbed_pulls_;  // those whose noise has been drawn
  std::vector<RowId> pending_;                  // rows pulled since the last draw
  std::size_t models_stride_;                   // M, padded to a multiple of 8
  std::vector<double> noise_;                   // d columns of M
  std::vector<double> draws_;                   // one per model
  std::vector<std::uint64_t> trials_;
  std::vector<double> row_;
};

}  // namespace phe
