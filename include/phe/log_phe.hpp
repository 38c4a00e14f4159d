// LogPhe: perturbed-history exploration in a logistic bandit (Section 3.3). LinPhe with another
// model: the same history, pseudo-rewards and argmax; rewards are 0 or 1 with mean sigma(x^T
// theta).
#pragma once

#include <span>
#include <vector>

#include "phe/arms.hpp"
#include "phe/history.hpp"
#include "phe/logistic.hpp"
#include "phe/policy.hpp"
#include "phe/pseudo_rewards.hpp"
#include "phe/result.hpp"

namespace phe {

// When a fit is good enough.
enum class LogisticStop {
  arm,      // the arm to pull is certain: no other can have a higher score at the minimum
  gradient  // theta itself has converged, to LogisticModel::tolerance
};

struct LogPheOptions {
  double perturbation_scale = 0.5;  // a: pseudo-rewards per observed reward
  double ridge = 0.5;               // lambda, of lambda |theta|^2: 1/2 is the prior N(0, I)
  LogisticStop stop = LogisticStop::arm;
  RewardRange rewards;  // low is a failure, high a success, nothing between
};

// With ridge = 0 (maximum likelihood) a perturbed history may be separable: then there is no
// minimum, and the policy pulls the best arm at a finite theta in the direction in which the
// likelihood grows. last_fit() and separable_fits() tell.
class LogPhe final : public Policy {
 public:
  // `history` may hold what is known already; its rows are the arms.
  static Result<LogPhe> create(Arms arms, const LogPheOptions& options, History history);
  static Result<LogPhe> create(Arms arms, const LogPheOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "logphe"; }

  [[nodiscard]] const History& history() const noexcept { return history_; }
  // theta-tilde of the last select that fitted a model.
  [[nodiscard]] std::span<const double> estimate() const noexcept { return theta_; }
  // Fits theta-tilde to freshly perturbed history and scores all arms.
  void fit(Rng& rng) noexcept;

  [[nodiscard]] const LogisticFit& last_fit() const noexcept { return last_fit_; }
  [[nodiscard]] std::uint64_t separable_fits() const noexcept { return separable_fits_; }
  [[nodiscard]] const LogisticWork& work() const noexcept { return model_.work(); }

 private:
  LogPhe(Arms arms, const LogPheOptions& options, PerturbationScale scale, History history);
  void absorb(ArmId arm, std::uint64_t pulls, double successes) noexcept;

  Arms arms_;
  LogPheOptions options_;
  History history_;
  PseudoRewards pseudo_rewards_;
  LogisticModel model_;
  std::vector<ArmId> initial_;       // the arms of the first rounds, a basis of R^d
  std::vector<double> reward_part_;  // sum_i x_i V_i, kept up to date
  std::vector<double> target_;       // sum_i x_i (V_i + U_i)
  std::vector<double> theta_;
  std::vector<double> scores_;
  LogisticFit last_fit_;
  std::uint64_t separable_fits_ = 0;
};

}  // namespace phe
