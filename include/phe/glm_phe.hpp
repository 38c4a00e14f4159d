// GlmPhe: perturbed-history exploration with a generalised linear model (Section 3.3). LinPhe with
// another model: the same history, pseudo-rewards and argmax.
//
//   LogPhe    rewards in [0, 1], or mapped to it, with mean sigma(x^T theta)
//   PoisPhe   counts or other rewards in [0, M], with mean exp(x^T theta)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "phe/arms.hpp"
#include "phe/glm_fit.hpp"
#include "phe/phe_policy.hpp"
#include "phe/result.hpp"

namespace phe {

struct LogitLink;
struct LogLink;

// When a fit is good enough.
enum class GlmStop {
  arm,      // the arm to pull is certain: no other can have a higher score at the minimum
  gradient  // theta itself has converged, to GlmModel::tolerance
};

struct GlmPheOptions {
  double perturbation_scale = 0.5;  // a: pseudo-rewards per observed reward
  double ridge = 0.5;               // lambda, of lambda |theta|^2: 1/2 is the prior N(0, I)
  GlmStop stop = GlmStop::arm;
  RewardRange rewards = {};        // pseudo-rewards are its ends; [0, M] for PoisPhe
  bool centred = false;            // noise of mean 0 on the rewards, and no observations of its own
  Start start = Start::automatic;  // the basis for fixed arms, the perturbed prior in contexts
  // In contexts: how many of the last rows are fitted exactly, the older ones as a quadratic
  // function around the centre of the fits. Not given: all rows.
  std::optional<std::uint64_t> memory = {};
};

template <class Link>
class GlmPheLearner;

// With ridge = 0 (maximum likelihood) a perturbed history may be separable: then there is no
// minimum, and the policy pulls the best arm at a finite theta in the direction in which the
// likelihood grows. last_fit() and separable_fits() tell.
template <class Link>
class GlmPhe final : public PhePolicy {
 public:
  // For fixed arms. `history` may hold what is known already; its rows are the arms.
  static Result<GlmPhe> create(Arms arms, const GlmPheOptions& options, const History& history);
  static Result<GlmPhe> create(Arms arms, const GlmPheOptions& options = {});
  // For contexts: actions with d features come with each round.
  static Result<GlmPhe> create(std::size_t dimension, const GlmPheOptions& options = {});

  // theta-tilde of the last select that fitted a model.
  [[nodiscard]] std::span<const double> estimate() const noexcept;
  // Fits theta-tilde to freshly perturbed history; in contexts until theta has converged.
  void fit(Rng& rng);

  [[nodiscard]] const GlmFit& last_fit() const noexcept;
  [[nodiscard]] std::uint64_t separable_fits() const noexcept;
  [[nodiscard]] const GlmWork& work() const noexcept;

 private:
  using PhePolicy::PhePolicy;
  static Result<GlmPhe> wrap(Result<std::unique_ptr<LearnerPolicy>> policy);
  [[nodiscard]] const GlmPheLearner<Link>& learner() const noexcept;
};

using LogPhe = GlmPhe<LogitLink>;
using PoisPhe = GlmPhe<LogLink>;

}  // namespace phe
