// LogPheLearner: LinPheLearner with the model of Section 3.3. theta-tilde minimises the logistic
// loss of the perturbed history, in which row i has T_i + m_i observations, V_i + U_i of them
// positive. Flips follow the same law (perturbed_history.hpp).
#pragma once

#include "phe/log_phe.hpp"
#include "policies/configured.hpp"
#include "policies/logistic_learner.hpp"
#include "policies/perturbed_history.hpp"

namespace phe {

class LogPheLearner final : public Configured<LogPheLearner, LogPheOptions, LogisticLearner> {
 public:
  static const Keys<LogPheOptions>& keys();
  static Result<void> check(const Arms& arms, const LogPheOptions& options);
  LogPheLearner(const Arms& arms, const LogPheOptions& options);

  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  void persist(Archive& archive) override;
  [[nodiscard]] Result<void> mergeable() const override;

  [[nodiscard]] std::uint64_t separable_fits() const noexcept { return separable_fits_; }

 private:
  [[nodiscard]] std::uint64_t pulls(RowId row) const noexcept override {
    return history_.pseudo_rewards().pulls(row);
  }
  std::span<const double> draw_target(Rng& rng);
  void fold_old_rows();

  PerturbedHistory history_;
  std::uint64_t separable_fits_ = 0;
};

}  // namespace phe
