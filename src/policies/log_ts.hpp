// LogTs: Thompson sampling in a logistic bandit with Laplace's approximation (Chapelle & Li 2011;
// Russo et al. 2018). It takes
//
//   argmax_i x_i^T theta,   theta ~ N(theta-hat, H^-1),
//
// theta-hat the maximum a posteriori under the prior N(0, I / (2 ridge)), found anew each round to
// LogisticModel::tolerance, and H the Hessian of the loss at that theta-hat, summed and factorised
// anew each round as well: O(d^2) per distinct row observed, and O(d^3).
#pragma once

#include "policies/logistic_learner.hpp"

namespace phe {

struct LogTsOptions {
  double ridge = 0.5;  // the prior is N(0, I)
};

class LogTs final : public LogisticLearner {
 public:
  static Result<LogTs> create(const Arms& arms, const LogTsOptions& options = {});

  [[nodiscard]] std::unique_ptr<Learner> clone() const override {
    return std::make_unique<LogTs>(*this);
  }
  [[nodiscard]] std::string_view name() const noexcept override { return "logts"; }
  std::span<const double> draw(Rng& rng) override;
  void identify(Archive& archive) override { archive.same(options_.ridge, "ridge"); }

 private:
  LogTs(const Arms& arms, const LogTsOptions& options)
      : LogisticLearner(arms, options.ridge), options_(options), normals_(arms.dimension()) {}

  LogTsOptions options_;
  std::vector<double> normals_;
};

}  // namespace phe
