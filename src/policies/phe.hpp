// Phe: perturbed-history exploration in a multi-armed bandit (Kveton, Szepesvari, Ghavamzadeh &
// Boutilier, IJCAI 2019). It pulls the arm with the highest mean of its perturbed history,
//
//   argmax_i (V_i + U_i) / (T_i + m_i),   m_i = ceil(a T_i),
//
// with U_i the sum of m_i pseudo-rewards, drawn afresh each round: Ber(1/2), so that
// U_i ~ B(m_i, 1/2), or Gaussian with the same mean and variance. Arms are independent: features
// play no part. An arm never pulled comes first.
#pragma once

#include <vector>

#include "phe/history.hpp"
#include "phe/policy.hpp"
#include "phe/pseudo_rewards.hpp"
#include "phe/result.hpp"

namespace phe {

enum class PseudoLaw { bernoulli, gaussian };

struct PheOptions {
  double perturbation_scale = 1.1;  // a: pseudo-rewards per observed reward
  PseudoLaw pseudo_rewards = PseudoLaw::bernoulli;
  RewardRange rewards;  // [m, M]; rewards are mapped to [0, 1]
};

class Phe final : public Policy {
 public:
  static Result<Phe> create(std::size_t arms, const PheOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "phe"; }

 private:
  Phe(std::size_t arms, const PheOptions& options, PerturbationScale scale);

  PheOptions options_;
  History history_;
  PerturbationScale scale_;
  std::vector<std::uint64_t> trials_;  // m_i
  std::vector<double> pseudo_sums_;    // U_i
  std::vector<double> reward_sums_;    // V_i; infinite before the first pull, -infinite in padding
  std::vector<double> inverse_sizes_;  // 1 / (T_i + m_i)
  std::vector<double> deviations_;     // sqrt(m_i) / 2
  std::vector<double> scores_;
};

}  // namespace phe
