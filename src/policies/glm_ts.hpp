// GlmTs: Thompson sampling in a generalised linear bandit with Laplace's approximation (Chapelle &
// Li 2011; Russo et al. 2018). It takes
//
//   argmax_i x_i^T theta,   theta ~ N(theta-hat, H^-1),
//
// theta-hat the maximum a posteriori under the prior N(0, I / (2 ridge)), found anew each round to
// GlmModel::tolerance, and H the Hessian of the loss at that theta-hat, summed and factorised anew
// each round as well: O(d^2) per distinct row observed, and O(d^3). LogTs has the logit, PoisTs the
// log link: the likelihood of Poisson counts.
#pragma once

#include "policies/configured.hpp"
#include "policies/glm_learner.hpp"

namespace phe {

struct GlmTsOptions {
  double ridge = 0.5;  // the prior is N(0, I)
  RewardRange rewards = {};
};

template <class Link>
class GlmTs final : public Configured<GlmTs<Link>, GlmTsOptions, GlmLearner<Link>> {
 public:
  static const Keys<GlmTsOptions>& keys();
  GlmTs(const Arms& arms, const GlmTsOptions& options)
      : GlmTs::Configured(options, arms, options.ridge, options.rewards),
        normals_(arms.dimension()) {}

  std::span<const double> draw(Rng& rng) override;

 private:
  std::vector<double> normals_;
};

using LogTs = GlmTs<LogitLink>;
using PoisTs = GlmTs<LogLink>;

}  // namespace phe
