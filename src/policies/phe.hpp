// Phe: perturbed-history exploration in a multi-armed bandit (Kveton, Szepesvari, Ghavamzadeh &
// Boutilier, IJCAI 2019). It pulls the arm with the highest mean of its perturbed history,
//
//   argmax_i (V_i + U_i) / (T_i + m_i),   m_i = ceil(a T_i),
//
// with U_i the sum of m_i pseudo-rewards, drawn afresh each round: Ber(1/2), so that
// U_i ~ B(m_i, 1/2), or Gaussian with the same mean and variance. Arms are independent: features
// play no part. An arm never pulled comes first.
#pragma once

#include <cstdint>
#include <vector>

#include "core/perturbation_scale.hpp"
#include "policies/configured.hpp"

namespace phe {

enum class PseudoLaw { bernoulli, gaussian };

struct PheOptions {
  double perturbation_scale = 1.1;  // a: pseudo-rewards per observed reward
  PseudoLaw pseudo_rewards = PseudoLaw::bernoulli;
};

class Phe final : public Configured<Phe, PheOptions, Learner> {
 public:
  static const Keys<PheOptions>& keys();
  static Result<void> check(const Arms&, const PheOptions&) { return {}; }
  Phe(const Arms& arms, const PheOptions& options);

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  void observe(const Observation& observation) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  double score(std::span<const double> /*x*/, Rng& /*rng*/) override { return 0.0; }
  void persist(Archive& archive) override;
  void merge(const Learner& /*other*/) override {}  // arms are fixed, and merged by their history

 private:
  void perturb(ArmId arm) noexcept;

  PerturbationScale scale_;
  Rows rows_;
  std::size_t arms_;
  std::vector<std::uint64_t> pulls_;   // T_i
  std::vector<std::uint64_t> trials_;  // m_i
  std::vector<double> pseudo_sums_;    // U_i
  std::vector<double> reward_sums_;    // V_i; infinite before the first pull, -infinite in padding
  std::vector<double> inverse_sizes_;  // 1 / (T_i + m_i)
  std::vector<double> deviations_;     // sqrt(m_i) / 2
  std::vector<double> scores_;
};

}  // namespace phe
