// LinEns: ensemble sampling in a linear bandit (Lu & Van Roy, NeurIPS 2017). M models share one
// history, each with noise of its own that is drawn once per pull and kept; a round picks one of
// them at random and pulls the best arm under it:
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

#include "models/linear_model.hpp"
#include "phe/arm_scorer.hpp"
#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "phe/pseudo_rewards.hpp"
#include "phe/result.hpp"
#include "policies/initial_arms.hpp"

namespace phe {

enum class EnsembleNoise { gaussian, bernoulli };

struct LinEnsOptions {
  std::uint64_t models = 30;  // M
  EnsembleNoise noise = EnsembleNoise::gaussian;
  double ridge = 1.0;               // lambda
  double sigma = 0.5;               // of gaussian noise
  double perturbation_scale = 1.0;  // a, of bernoulli noise
  RewardRange rewards;              // [m, M]; rewards are mapped to [0, 1]
};

class LinEns final : public Policy {
 public:
  static Result<LinEns> create(Arms arms, const LinEnsOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "linens"; }

 private:
  LinEns(Arms arms, const LinEnsOptions& options, PerturbationScale scale);
  void draw_prior(Rng& rng) noexcept;
  void draw_noise_of(ArmId arm, Rng& rng) noexcept;
  // Entry j of the noise of model m.
  [[nodiscard]] double& noise(std::size_t m, std::size_t j) noexcept {
    return noise_[j * models_stride_ + m];
  }

  LinEnsOptions options_;
  PerturbationScale scale_;
  LinearModel model_;
  ArmScorer scorer_;
  History history_;
  InitialArms initial_;  // used with bernoulli noise, which has no prior to start from
  bool prior_drawn_ = false;
  std::vector<ArmId> pending_;                  // arms pulled since the last select
  std::vector<std::uint64_t> perturbed_pulls_;  // pulls of each arm whose noise has been drawn
  std::size_t models_stride_;                   // M, padded to a multiple of 8
  std::vector<double> noise_;                   // d columns of M
  std::vector<double> draws_;                   // one a model
  std::vector<std::uint64_t> trials_;
  std::vector<double> row_;
};

}  // namespace phe
