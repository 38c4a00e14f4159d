// LinGiro: exploration by bootstrapping a history with pseudo-rewards, with a linear model (Kveton,
// Szepesvari, Vaswani, Wen, Lattimore & Ghavamzadeh, ICML 2019, contextual form).
//
// The history holds, for each pull of arm i, its reward and, as in giro.hpp, m_i = ceil(a T_i)
// pseudo-rewards each of 0 and of 1, all with features x_i: n_i = T_i + 2 m_i rows of arm i. Each
// round fits a ridge model to a resample of the history and pulls its best arm:
//
//   argmax_i x_i^T theta,   theta = ((2a + 1) ridge I + sum_i C_i x_i x_i^T)^-1 sum_i x_i B_i,
//
// where C_i counts the resampled rows of arm i, B_i ~ B(C_i, (V_i + m_i) / n_i). Either all N rows
// are resampled together, C ~ Multinomial(N; n_i / N), and the matrix is factorised anew each
// round, O(K d^2 + d^3); or each arm's rows on their own, C_i = n_i, and the matrix is kept by
// rank-one updates, O(K d + d^2). Neither costs O(t). Rewards inside (0, 1): see giro.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "models/arm_rows.hpp"
#include "phe/arm_scorer.hpp"
#include "phe/arms.hpp"
#include "phe/policy.hpp"
#include "phe/pseudo_rewards.hpp"
#include "phe/result.hpp"
#include "phe/ridge.hpp"
#include "policies/initial_arms.hpp"

namespace phe {

enum class Resample { history, arms };

struct LinGiroOptions {
  double pseudo_rewards = 1.0;  // a: pseudo-rewards of 0, and as many of 1, per observed reward
  double ridge = 1.0;           // lambda
  Resample resample = Resample::history;
  RewardRange rewards;  // [m, M]; rewards are mapped to [0, 1]
};

class LinGiro final : public Policy {
 public:
  static Result<LinGiro> create(Arms arms, const LinGiroOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "lingiro"; }

 private:
  struct Row {
    std::uint64_t pulls = 0;  // T_i
    double reward_sum = 0.0;  // V_i
    std::uint64_t size = 0;   // n_i
    double mean = 0.0;        // (V_i + m_i) / n_i
  };

  LinGiro(Arms arms, const LinGiroOptions& options, PerturbationScale scale);
  void resample_history(Rng& rng) noexcept;
  void fit_counts() noexcept;

  Arms arms_;
  ArmScorer scorer_;
  LinGiroOptions options_;
  PerturbationScale scale_;
  ArmRows pulled_;
  InitialArms initial_;
  RidgeModel model_;  // with C_i = n_i
  std::vector<Row> rows_;
  std::uint64_t total_size_ = 0;       // N
  std::vector<std::uint64_t> counts_;  // C_i
  std::vector<double> sums_;           // B_i
  std::vector<double> gram_;
  std::vector<double> factor_;
  std::vector<double> target_;
  std::vector<double> theta_;
  std::vector<double> row_;
};

}  // namespace phe
