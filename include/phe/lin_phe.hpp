// LinPhe: perturbed-history exploration in a linear bandit (Algorithm 1), by the efficient route of
// Section 3.2: the cost of a round is O(K d + d^2), whatever the round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phe/arm_scorer.hpp"
#include "phe/arms.hpp"
#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "phe/pseudo_rewards.hpp"
#include "phe/result.hpp"
#include "phe/ridge.hpp"

namespace phe {

// Which Gram matrix the perturbed history has when a is not an integer; the same when it is.
enum class Gram {
  paper,   // (a + 1) (sum x x^T + lambda I), as Algorithm 1 writes it
  authors  // sum_i (T_i + ceil(a T_i)) x_i x_i^T + (a + 1) lambda I, as the authors' code has it
};

// How the perturbation scale goes over the rounds. Where it falls, the pseudo-rewards are
// 1/2 + c (Z - 1/2) with c^2 = a_t / a: as many as before, with the variance of a_t T_i coin flips.
enum class ScaleSchedule {
  constant,  // a_t = a, the paper's
  linear     // a_t = a (1 - (t - 1) / n): all of it at first, none at the horizon
};

struct LinPheOptions {
  double perturbation_scale = 0.5;  // a: pseudo-rewards per observed reward
  double ridge = 1.0;               // lambda
  Gram gram = Gram::paper;
  bool centred = false;  // pseudo-rewards Z - 1/2, so that both they and the ridge pull toward 0
  ScaleSchedule schedule = ScaleSchedule::constant;
  std::uint64_t rounds = 10'000;  // n, for the linear schedule
  RewardRange rewards = {};       // [m, M]; rewards are mapped to [0, 1]
};

class LinPhe final : public Policy {
 public:
  // `history` may hold what is known already; its rows are the arms.
  static Result<LinPhe> create(Arms arms, const LinPheOptions& options, History history);
  static Result<LinPhe> create(Arms arms, const LinPheOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "linphe"; }

  [[nodiscard]] const History& history() const noexcept { return history_; }
  // theta-tilde of the last select that fitted a model.
  [[nodiscard]] std::span<const double> estimate() const noexcept { return model_.solution(); }
  // Fits theta-tilde to freshly perturbed history: lines 6-8 of Algorithm 1.
  void fit(Rng& rng) noexcept;

 private:
  LinPhe(Arms arms, const LinPheOptions& options, PerturbationScale scale, History history);
  void absorb(ArmId arm, std::uint64_t pulls, double unit_reward_sum) noexcept;
  // c of this round.
  [[nodiscard]] double shrinkage() const noexcept;

  Arms arms_;
  ArmScorer scorer_;
  LinPheOptions options_;
  History history_;
  PseudoRewards pseudo_rewards_;
  RidgeModel model_;
  std::vector<ArmId> initial_;       // the arms of the first rounds, a basis of R^d
  std::vector<double> reward_part_;  // sum_i x_i V_i (minus the centring), kept up to date
  std::vector<double> pseudo_mean_;  // sum_i x_i m_i / 2
  std::vector<double> target_;       // sum_i x_i (V_i + U_i)
};

}  // namespace phe
