// LogPhe: perturbed-history exploration in a logistic bandit (Section 3.3). LinPhe with another
// model: the same history, pseudo-rewards and argmax; rewards are 0 or 1 with mean sigma(x^T
// theta).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "phe/arms.hpp"
#include "phe/logistic_fit.hpp"
#include "phe/phe_policy.hpp"
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
  RewardRange rewards = {};        // low is a failure, high a success, nothing between
  bool centred = false;            // noise of mean 0 on the rewards, and no observations of its own
  Start start = Start::automatic;  // the basis for fixed arms, the perturbed prior in contexts
  // In contexts: how many of the last rows are fitted exactly, the older ones as a quadratic
  // function around the centre of the fits. Not given: all rows.
  std::optional<std::uint64_t> memory = {};
};

class LogPheLearner;

// With ridge = 0 (maximum likelihood) a perturbed history may be separable: then there is no
// minimum, and the policy pulls the best arm at a finite theta in the direction in which the
// likelihood grows. last_fit() and separable_fits() tell.
class LogPhe final : public PhePolicy {
 public:
  // For fixed arms. `history` may hold what is known already; its rows are the arms.
  static Result<LogPhe> create(Arms arms, const LogPheOptions& options, const History& history);
  static Result<LogPhe> create(Arms arms, const LogPheOptions& options = {});
  // For contexts: actions with d features come with each round.
  static Result<LogPhe> create(std::size_t dimension, const LogPheOptions& options = {});

  // theta-tilde of the last select that fitted a model.
  [[nodiscard]] std::span<const double> estimate() const noexcept;
  // Fits theta-tilde to freshly perturbed history; in contexts until theta has converged.
  void fit(Rng& rng);

  [[nodiscard]] const LogisticFit& last_fit() const noexcept;
  [[nodiscard]] std::uint64_t separable_fits() const noexcept;
  [[nodiscard]] const LogisticWork& work() const noexcept;

 private:
  using PhePolicy::PhePolicy;
  static Result<LogPhe> wrap(Result<std::unique_ptr<LearnerPolicy>> policy);
  [[nodiscard]] const LogPheLearner& learner() const noexcept;
};

}  // namespace phe
