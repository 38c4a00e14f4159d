// LinPhe: perturbed-history exploration in a linear bandit (Algorithm 1), by the efficient route of
// Section 3.2. With fixed arms a round costs O(K d + d^2), whatever the round; in contexts it costs
// a pass over the rows observed, or O(K d + d^2) with bounded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "phe/arms.hpp"
#include "phe/phe_policy.hpp"
#include "phe/result.hpp"

namespace phe {

// Which Gram matrix the perturbed history has when a is not an integer; the same when it is, and in
// contexts, where pseudo-rewards are scaled and not rounded up.
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
  // An observation of leverage h brings a h^fade pseudo-rewards, from 0 (all bring a) to 1.
  double fade = 0.0;
  bool centred = false;  // pseudo-rewards Z - 1/2, so that both they and the ridge pull toward 0
  ScaleSchedule schedule = ScaleSchedule::constant;
  std::uint64_t rounds = 10'000;   // n, for the linear schedule
  RewardRange rewards = {};        // [m, M]; rewards are mapped to [0, 1]
  Start start = Start::automatic;  // the basis for fixed arms, the perturbed prior in contexts
  // In contexts: how many of the last rows keep pseudo-rewards of their own, the older ones sharing
  // a Gaussian with their mean and covariance. Not given: all rows, exactly.
  std::optional<std::uint64_t> memory = {};
};

class LinPhe final : public PhePolicy {
 public:
  // For fixed arms. `history` may hold what is known already; its rows are the arms.
  static Result<LinPhe> create(Arms arms, const LinPheOptions& options, const History& history);
  static Result<LinPhe> create(Arms arms, const LinPheOptions& options = {});
  // For contexts: actions with d features come with each round.
  static Result<LinPhe> create(std::size_t dimension, const LinPheOptions& options = {});

  // theta-tilde of the last select that fitted a model.
  [[nodiscard]] std::span<const double> estimate() const noexcept;
  // Fits theta-tilde to freshly perturbed history: lines 6-8 of Algorithm 1.
  void fit(Rng& rng);

 private:
  using PhePolicy::PhePolicy;
  static Result<LinPhe> wrap(Result<std::unique_ptr<LearnerPolicy>> policy);
};

}  // namespace phe
