// LogPheLearner: LinPheLearner with the model of Section 3.3. theta-tilde minimises the logistic
// loss of the perturbed history, in which row i has T_i + m_i observations, V_i + U_i of them
// positive. Flips follow the same law (flip_law.hpp).
#pragma once

#include "core/pseudo_rewards.hpp"
#include "phe/log_phe.hpp"
#include "policies/flip_law.hpp"
#include "policies/logistic_learner.hpp"

namespace phe {

class LogPheLearner final : public LogisticLearner {
 public:
  static Result<LogPheLearner> create(const Arms& arms, const LogPheOptions& options);

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<LogPheLearner>(*this);
  }
  [[nodiscard]] std::string_view name() const noexcept override { return "logphe"; }
  void observe(const Observation& observation) override;
  std::span<const double> draw(Rng& rng) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  void identify(Archive& archive) override;
  void persist(Archive& archive) override;
  [[nodiscard]] Result<void> mergeable() const override;

  [[nodiscard]] std::uint64_t separable_fits() const noexcept { return separable_fits_; }

 private:
  LogPheLearner(const Arms& arms, const LogPheOptions& options, PerturbationScale scale);
  [[nodiscard]] std::uint64_t pulls(RowId row) const noexcept override {
    return pseudo_rewards_.pulls(row);
  }
  std::span<const double> draw_target(Rng& rng);
  void fold_old_rows();

  LogPheOptions options_;
  FlipLaw law_;
  PseudoRewards pseudo_rewards_;
  std::vector<double> reward_part_;  // sum_i x_i V_i (minus the centring), kept up to date
  std::vector<double> pseudo_mean_;  // sum_i x_i m_i / 2
  std::vector<double> target_;       // sum_i x_i (V_i + U_i)
  std::uint64_t separable_fits_ = 0;
};

}  // namespace phe
