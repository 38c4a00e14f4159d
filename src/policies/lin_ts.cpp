#include "policies/lin_ts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/elementary.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinTs> LinTs::create(Arms arms, const LinTsOptions& options) {
  LinTsOptions all = options;
  if (!all.sigma) all.sigma = all.inflated ? 1.0 : 0.5;
  if (!all.delta) all.delta = 1.0 / static_cast<double>(std::max<std::uint64_t>(all.rounds, 2));
  if (auto checked = first_error(
          {check_positive("lints", "ridge", all.ridge),
           check_positive("lints", "sigma", *all.sigma), check_positive("lints", "R", all.noise),
           check_confidence("lints", "delta", *all.delta), check_range("lints", all.rewards),
           check_features("lints", arms)});
      !checked)
    return checked.error();
  return LinTs(std::move(arms), all);
}

LinTs::LinTs(Arms arms, const LinTsOptions& options)
    : options_(options),
      posterior_(std::move(arms), options.ridge, 1.0 / (*options.sigma * *options.sigma)),
      scorer_(posterior_.arms()) {}

double LinTs::inflation() const noexcept {
  if (!options_.inflated) return 1.0;
  const auto d = static_cast<double>(posterior_.arms().dimension());
  const double log_term = kernels::log(static_cast<double>(round_) / *options_.delta);
  return options_.noise * std::sqrt(9.0 * d * log_term);
}

ArmId LinTs::select(Rng& rng) { return scorer_.best(posterior_.sample(inflation(), rng), rng); }

void LinTs::update(ArmId arm, double reward) {
  assert(arm < posterior_.arms().size());
  posterior_.learn(arm, options_.rewards.to_unit(reward));
  ++round_;
}

PolicyEntry lin_ts_entry() {
  return {"lints",
          "Thompson sampling: an arm that is best under a draw from the posterior",
          {{"ridge", "1", "the prior is N(0, I / ridge), > 0"},
           {"sigma", "auto", "scale of the reward noise, > 0; auto: 0.5, or 1 when inflated"},
           {"inflated", "false",
            "the form with a regret bound (Agrawal & Goyal 2013): draws R sqrt(9 d log(t/delta)) "
            "times wider"},
           {"R", "0.5", "rewards are R-sub-Gaussian, when inflated"},
           {"delta", "auto", "probability of an error, when inflated; auto: 1/n"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinTsOptions options;
            options.ridge = p.real("ridge");
            options.sigma = real_or_auto(p, "sigma");
            options.inflated = p.flag("inflated");
            options.noise = p.real("R");
            options.delta = real_or_auto(p, "delta");
            options.rounds = context.rounds;
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            return boxed(LinTs::create(context.arms, options));
          }};
}

}  // namespace phe
