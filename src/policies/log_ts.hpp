// LogTs: Thompson sampling in a logistic bandit with Laplace's approximation (Chapelle & Li 2011;
// Russo et al. 2018). It pulls
//
//   argmax_i x_i^T theta,   theta ~ N(theta-hat, H^-1),
//
// theta-hat the maximum a posteriori under the prior N(0, I / (2 ridge)), found anew each round to
// LogisticModel::tolerance, and H the Hessian of the loss at that theta-hat, summed and factorised
// anew each round as well: O(K d^2 + d^3).
#pragma once

#include <vector>

#include "models/logistic_map.hpp"
#include "phe/policy.hpp"
#include "phe/result.hpp"

namespace phe {

struct LogTsOptions {
  double ridge = 0.5;   // the prior is N(0, I)
  RewardRange rewards;  // low is a failure, high a success, nothing between
};

class LogTs final : public Policy {
 public:
  static Result<LogTs> create(const Arms& arms, const LogTsOptions& options = {});

  ArmId select(Rng& rng) override;
  void update(ArmId arm, double reward) override;
  [[nodiscard]] std::string_view name() const noexcept override { return "logts"; }

  [[nodiscard]] const LogisticMap& map() const noexcept { return map_; }
  // A draw of theta, as in select.
  std::span<const double> sample(Rng& rng) noexcept;

 private:
  LogTs(const Arms& arms, const LogTsOptions& options);

  LogTsOptions options_;
  LogisticMap map_;
  std::vector<double> normals_;
};

}  // namespace phe
