// Giro: exploration by bootstrapping a history with pseudo-rewards ("Garbage in, reward out":
// Kveton, Szepesvari, Vaswani, Wen, Lattimore & Ghavamzadeh, ICML 2019), multi-armed.
//
// The history of an arm pulled T_i times holds its rewards and m_i = ceil(a T_i) pseudo-rewards
// each of 0 and of 1, n_i = T_i + 2 m_i values in all. Each round resamples n_i of them with
// replacement and pulls the arm with the highest mean. For rewards of 0 and 1 the resampled sum is
//
//   B(n_i, (V_i + m_i) / n_i),
//
// one draw, whatever the length of the history. A reward inside (0, 1) is rounded to 0 or 1 by a
// fresh coin whenever it is resampled: the same mean, and the same law as above. Arms are
// independent: features play no part. An arm never pulled comes first.
#pragma once

#include <vector>

#include "phe/policy.hpp"
#include "phe/pseudo_rewards.hpp"
#include "phe/result.hpp"

namespace phe {

struct GiroOptions {
  double pseudo_rewards = 1.0;  // a: pseudo-rewards of 0, and as many of 1, per observed reward
  RewardRange rewards;          // [m, M]; rewards are mapped to [0, 1]
};

class Giro final : public Policy {
 public:
  static Result<Giro> create(std::size_t arms, const GiroOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "giro"; }

 private:
  struct Bootstrap {
    std::uint64_t pulls = 0;  // T_i
    double reward_sum = 0.0;  // V_i
    std::uint64_t size = 0;   // n_i
    double mean = 0.0;        // (V_i + m_i) / n_i
  };

  Giro(std::size_t arms, const GiroOptions& options, PerturbationScale scale);

  GiroOptions options_;
  PerturbationScale scale_;
  std::vector<Bootstrap> arms_;
  std::vector<double> scores_;
};

}  // namespace phe
