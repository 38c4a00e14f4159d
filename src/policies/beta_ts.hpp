// BetaTs: Thompson sampling in a multi-armed bandit of rewards that are 0 or 1 (Thompson 1933): the
// arm with the largest draw from its Beta(alpha + V_i, beta + T_i - V_i). A reward inside (0, 1)
// counts as that share of a success. Its probabilities are known in closed form
// (models/best_beta.hpp).
#pragma once

#include <vector>

#include "models/best_beta.hpp"
#include "policies/arm_sums.hpp"
#include "policies/configured.hpp"

namespace phe {

struct BetaTsOptions {
  double alpha = 1.0;  // the prior, with beta
  double beta = 1.0;
};

class BetaTs final : public Configured<BetaTs, BetaTsOptions, Learner> {
 public:
  static const Keys<BetaTsOptions>& keys();
  static Result<void> check(const Arms&, const BetaTsOptions&) { return {}; }
  BetaTs(const Arms& arms, const BetaTsOptions& options);

  [[nodiscard]] Rows& rows() noexcept override { return rows_; }
  void observe(const Observation& observation) override;
  ArmId choose(Offered& offered, Rng& rng) override;
  bool probabilities(Offered& offered, std::span<double> of_each) override;
  double score(std::span<const double> /*x*/, Rng& /*rng*/) override { return 0.0; }
  void persist(Archive& archive) override;
  void merge(const Learner& /*other*/) override {}  // arms are fixed, and merged by their history

 private:
  void shape(std::size_t arm) noexcept;

  Rows rows_;
  ArmSums sums_;
  std::vector<BetaShape> shapes_;  // of each arm's posterior
  std::vector<double> draws_;      // padded for best_arm
  BestBeta best_;
};

}  // namespace phe
