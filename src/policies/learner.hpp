// Learner: turns what was observed into a model that chooses among what is offered.
//
//   observed rows -> perturb -> fit -> best of the offered actions -> reward -> observed rows
//
// Most draw a theta and take the best action under it; the others say in `choose` what they do.
// A learner knows nothing of where actions come from: LearnerPolicy gives it fixed arms or those of
// a round, DisjointPolicy has one per action. Rewards have been checked and mapped to [0, 1].
// Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/observation.hpp"
#include "core/offered.hpp"
#include "core/rows.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "phe/rng.hpp"
#include "support/archive.hpp"

namespace phe {

class Learner {
 public:
  virtual ~Learner() = default;
  // A copy draws all of its randomness from the rng that it is given.
  [[nodiscard]] virtual std::unique_ptr<Learner> clone() const = 0;
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  // Where observed features go; an Observation names one of these rows.
  [[nodiscard]] virtual Rows& rows() noexcept = 0;
  // Whether rows are needed after they were observed. If not, rows of contexts are not kept.
  [[nodiscard]] virtual bool keeps_rows() const noexcept { return false; }
  // Whether an observation may have a weight other than 1, or why not.
  [[nodiscard]] virtual Result<void> weighable() const {
    return invalid("{}: its model counts whole observations, and rows cannot be weighed", name());
  }
  // What features are multiplied by when they are kept as a row of weight w: its noise is theirs
  // (policies/weighed_row.hpp).
  [[nodiscard]] virtual double row_scale(double weight) const noexcept { return weight; }

  virtual void observe(const Observation& observation) = 0;

  // The probability of taking any action, with equal probability, in this round, counted from 1.
  // Who never explores does not in the first round.
  [[nodiscard]] virtual double exploration(std::uint64_t /*round*/) const noexcept { return 0.0; }
  // Whether to do so.
  virtual bool explores(std::uint64_t round, Rng& rng) {
    const double epsilon = exploration(round);
    return epsilon > 0 && to_unit(rng()) < epsilon;
  }
  // no_arm where there is a fault.
  virtual ArmId choose(Offered& offered, Rng& rng) = 0;
  // Whether `choose` changes nothing that later choices depend on but `rng`, so that a round can be
  // refused when the choice has seen its features.
  [[nodiscard]] virtual bool traceless() const noexcept { return false; }
  // As many independent choices, of the same law.
  virtual void favourites(Offered& offered, Rng& rng, std::span<ArmId> choices) {
    for (ArmId& choice : choices) choice = choose(offered, rng);
  }
  // The probability with which `choose` takes each of the actions, where that is known in closed
  // form. False where it is not: then models are drawn.
  virtual bool probabilities(Offered& /*offered*/, std::span<double> /*of_each*/) { return false; }
  // What `choose` compares, for the one action with features x, padded. For DisjointPolicy.
  virtual double score(std::span<const double> x, Rng& rng) = 0;
  // Why the last choice could not be made, or the last score is NaN.
  [[nodiscard]] virtual Result<void> fault() const { return {}; }
  // The theta that the last choice was made by, or that is estimated, d entries; none where there
  // is no linear model. Valid until the next call.
  virtual std::span<const double> theta() { return {}; }
  // Whether the score is one number, and not drawn from a law.
  [[nodiscard]] virtual bool certain() const noexcept { return false; }

  // What must be equal for two learners to share a state, and the state.
  virtual void identify(Archive& archive) = 0;
  virtual void persist(Archive& archive) = 0;
  // Whether what two have learnt adds up, or why not.
  [[nodiscard]] virtual Result<void> mergeable() const { return {}; }
  // Learns what `other`, with the same options, has learnt. Precondition: mergeable().
  virtual void merge(const Learner& other) = 0;
};

// x^T theta, of as many entries as theta has.
inline double score_of(std::span<const double> theta, std::span<const double> x) noexcept {
  double score = 0.0;
  for (std::size_t j = 0; j < theta.size(); ++j) score += theta[j] * x[j];
  return score;
}

// Draws theta; the best action is the one with the largest x^T theta.
class ThetaLearner : public Learner {
 public:
  // d entries, valid until the next call.
  virtual std::span<const double> draw(Rng& rng) = 0;

  ArmId choose(Offered& offered, Rng& rng) override { return offered.best(draw(rng), rng); }
  double score(std::span<const double> x, Rng& rng) override { return score_of(draw(rng), x); }
};

}  // namespace phe
