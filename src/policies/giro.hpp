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

#include "policies/bootstrap.hpp"
#include "policies/configured.hpp"

namespace phe {

struct GiroOptions {
  double pseudo_rewards = 1.0;  // a: pseudo-rewards of 0, and as many of 1, per observed reward
};

class Giro final : public Configured<Giro, GiroOptions, Learner> {
 public:
  static const Keys<GiroOptions>& keys();
  static Result<void> check(const Arms&, const GiroOptions&) { return {}; }
  Giro(const Arms& arms, const GiroOptions& options);

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  void observe(const Observation& observation) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  double score(std::span<const double> /*x*/, Rng& /*rng*/) override { return 0.0; }
  void persist(Archive& archive) override;
  void merge(const Learner& /*other*/) override {}  // arms are fixed, and merged by their history

 private:
  PerturbationScale scale_;
  Rows rows_;
  std::vector<Bootstrap> arms_;
  std::vector<double> scores_;
};

}  // namespace phe
