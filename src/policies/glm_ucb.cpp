#include "policies/glm_ucb.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<GlmUcbOptions>& GlmUcb::keys() {
  using O = GlmUcbOptions;
  static const Keys<O> keys(
      "glmucb",
      {{"ridge", &O::ridge, check_positive, "regularisation lambda, > 0"},
       {"c", &O::least_slope, check_positive,
        "lower bound of sigma's slope, > 0; smaller explores more"},
       {"k", &O::largest_slope, check_positive, "upper bound of sigma's slope, > 0"},
       {"R", &O::reward_bound, check_positive, "bound of the rewards, > 0"},
       {"delta", &O::delta, check_confidence, "probability of an error, in (0, 1); auto: 1/n"},
       {"rounds", &O::rounds}});
  return keys;
}

GlmUcb::GlmUcb(const Arms& arms, const GlmUcbOptions& options)
    : Configured(options, arms, options.ridge, Bound::of_mean) {
  see_norm(largest_squared_norm(arms));
}

double GlmUcb::radius_for(double squared_norm) const noexcept {
  const GlmUcbOptions& o = options_;
  const auto d = static_cast<double>(model_.dimension());
  const auto n = static_cast<double>(std::max<std::uint64_t>(o.rounds, 2));
  const double kappa = std::sqrt(3.0 + 2.0 * kernels::log(1.0 + 2.0 * squared_norm / o.ridge));
  return 2.0 * o.largest_slope * kappa * o.reward_bound / o.least_slope *
         std::sqrt(2.0 * d * kernels::log(n) * kernels::log(2.0 * d * n / o.delta.value_or(1 / n)));
}

PolicyEntry glm_ucb_entry() {
  return entry_of<GlmUcb>(
      "optimism on the means of the logistic model (Filippi et al. 2010); rewards in [0, 1]");
}

}  // namespace phe
