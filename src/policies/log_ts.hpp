// LogTs: Thompson sampling in a logistic bandit with Laplace's approximation (Chapelle & Li 2011;
// Russo et al. 2018). It takes
//
//   argmax_i x_i^T theta,   theta ~ N(theta-hat, H^-1),
//
// theta-hat the maximum a posteriori under the prior N(0, I / (2 ridge)), found anew each round to
// LogisticModel::tolerance, and H the Hessian of the loss at that theta-hat, summed and factorised
// anew each round as well: O(d^2) per distinct row observed, and O(d^3).
#pragma once

#include "policies/configured.hpp"
#include "policies/logistic_learner.hpp"

namespace phe {

struct LogTsOptions {
  double ridge = 0.5;  // the prior is N(0, I)
};

class LogTs final : public Configured<LogTs, LogTsOptions, LogisticLearner> {
 public:
  static const Keys<LogTsOptions>& keys();
  LogTs(const Arms& arms, const LogTsOptions& options)
      : Configured(options, arms, options.ridge), normals_(arms.dimension()) {}

  std::span<const double> draw(Rng& rng) override;

 private:
  std::vector<double> normals_;
};

}  // namespace phe
