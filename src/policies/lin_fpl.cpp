#include "policies/lin_fpl.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/normal.hpp"
#include "kernels/weighted_sum.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinFpl> LinFpl::create(Arms arms, const LinFplOptions& options) {
  if (auto checked =
          first_error({check_positive("linfpl", "a", options.noise_scale),
                       check_positive("linfpl", "ridge", options.ridge),
                       check_range("linfpl", options.rewards), check_features("linfpl", arms)});
      !checked)
    return checked.error();
  return LinFpl(std::move(arms), options);
}

LinFpl::LinFpl(Arms arms, const LinFplOptions& options)
    : options_(options),
      model_(std::move(arms), options.ridge),
      scorer_(model_.arms()),
      history_(model_.arms().size()),
      rows_(model_.arms()),
      initial_(model_.arms()),
      deviations_(model_.arms().view().stride),
      noise_(deviations_.size()),
      noise_sum_(model_.arms().dimension()) {}

ArmId LinFpl::select(Rng& rng) {
  if (!initial_.empty()) return initial_.next();
  const FeatureView rows = rows_.view();
  for (std::size_t i = 0; i < rows.arms; ++i) noise_[i] = deviations_[i] * kernels::normal(rng);
  std::ranges::fill(noise_sum_, 0.0);
  kernels::add_weighted_sum(rows, noise_, noise_sum_);
  return scorer_.best(model_.fit(noise_sum_), rng);
}

void LinFpl::update(ArmId arm, double reward) {
  assert(arm < model_.arms().size());
  initial_.pulled(arm);
  history_.add(arm, reward);
  model_.learn(arm, options_.rewards.to_unit(reward));
  deviations_[rows_.row_of(arm)] =
      options_.noise_scale * std::sqrt(static_cast<double>(history_.pulls(arm)));
}

PolicyEntry lin_fpl_entry() {
  return {"linfpl",
          "follow the perturbed leader: fresh Gaussian noise on every observed reward",
          {{"a", "0.5", "scale of the noise, > 0"}, {"ridge", "1", "regularisation lambda, > 0"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinFplOptions options;
            options.noise_scale = p.real("a");
            options.ridge = p.real("ridge");
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            return boxed(LinFpl::create(context.arms, options));
          }};
}

}  // namespace phe
