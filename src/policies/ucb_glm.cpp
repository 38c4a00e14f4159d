#include "policies/ucb_glm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<UcbGlmOptions>& UcbGlm::keys() {
  using O = UcbGlmOptions;
  static const Keys<O> keys(
      "ucbglm",
      {{"ridge", &O::ridge, check_positive, "regularisation lambda, > 0"},
       {"sigma", &O::sigma, check_positive, "rewards are sigma-sub-Gaussian, > 0"},
       {"kappa", &O::kappa, check_positive, "lower bound of the slope, > 0; smaller explores more"},
       {"delta", &O::delta, check_confidence, "probability of an error, in (0, 1); auto: 1/n"},
       {"rounds", &O::rounds}});
  return keys;
}

UcbGlm::UcbGlm(const Arms& arms, const UcbGlmOptions& options)
    : Configured(options, arms, options.ridge, Bound::of_score) {
  see_norm(largest_squared_norm(arms));
}

double UcbGlm::radius_for(double /*squared_norm*/) const noexcept {
  const auto d = static_cast<double>(model_.dimension());
  const auto n = static_cast<double>(std::max<std::uint64_t>(options_.rounds, 2));
  return options_.sigma / options_.kappa *
         std::sqrt(0.5 * d * kernels::log(1.0 + 2.0 * n / d) -
                   kernels::log(options_.delta.value_or(1 / n)));
}

PolicyEntry ucb_glm_entry() {
  return entry_of<UcbGlm>(
      "optimism on the scores of the logistic model (Li et al. 2017); rewards in [0, 1]");
}

}  // namespace phe
