// GlmPheLearner: LinPheLearner with the model of Section 3.3. theta-tilde minimises the loss of the
// perturbed history, in which row i has T_i + m_i observations, whose rewards and pseudo-rewards
// sum to V_i + U_i. Flips follow the same law (perturbed_history.hpp); heads is the highest reward,
// tails the lowest.
#pragma once

#include "phe/glm_phe.hpp"
#include "policies/configured.hpp"
#include "policies/glm_learner.hpp"
#include "policies/perturbed_history.hpp"

namespace phe {

template <class Link>
class GlmPheLearner final
    : public Configured<GlmPheLearner<Link>, GlmPheOptions, GlmLearner<Link>> {
 public:
  static const Keys<GlmPheOptions>& keys();
  static Result<void> check(const Arms& arms, const GlmPheOptions& options);
  GlmPheLearner(const Arms& arms, const GlmPheOptions& options);

  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  void persist(Archive& archive) override;
  [[nodiscard]] Result<void> mergeable() const override;

  [[nodiscard]] std::uint64_t separable_fits() const noexcept { return separable_fits_; }

 private:
  using GlmLearner<Link>::in_units;
  using GlmLearner<Link>::model_;

  [[nodiscard]] std::uint64_t pulls(RowId row) const noexcept override {
    return history_.pseudo_rewards().pulls(row);
  }
  std::span<const double> draw_target(Rng& rng);
  void fold_old_rows();

  PerturbedHistory history_;
  std::vector<double> target_;  // where the model counts in other units than the history
  std::uint64_t separable_fits_ = 0;
};

using LogPheLearner = GlmPheLearner<LogitLink>;
using PoisPheLearner = GlmPheLearner<LogLink>;

}  // namespace phe
