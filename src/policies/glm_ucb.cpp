#include "policies/glm_ucb.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<GlmUcb> GlmUcb::create(const Arms& arms, const GlmUcbOptions& options) {
  if (auto checked = first_error({check_positive("glmucb", "ridge", options.ridge),
                                  check_positive("glmucb", "c", options.least_slope),
                                  check_positive("glmucb", "k", options.largest_slope),
                                  check_positive("glmucb", "R", options.reward_bound),
                                  check_confidence("glmucb", "delta", options.delta.value_or(0.5)),
                                  LogisticModel::check("glmucb", arms, options.ridge)});
      !checked)
    return checked.error();
  return GlmUcb(arms, options);
}

GlmUcb::GlmUcb(const Arms& arms, const GlmUcbOptions& options)
    : LogisticUcb(arms, options.ridge, Bound::of_mean), options_(options) {
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

void GlmUcb::identify(Archive& archive) {
  archive.same(options_.ridge, "ridge");
  archive.same(options_.least_slope, "c");
  archive.same(options_.largest_slope, "k");
  archive.same(options_.reward_bound, "R");
  archive.same(options_.delta.value_or(0.0), "delta");
  archive.same(options_.rounds, "rounds");
}

PolicyEntry glm_ucb_entry() {
  return {
      "glmucb",
      "optimism on the means of the logistic model (Filippi et al. 2010); rewards are 0 or 1",
      with_common_keys({{"ridge", "1", "regularisation lambda, > 0"},
                        {"c", "0.25", "lower bound of sigma's slope, > 0; smaller explores more"},
                        {"k", "0.25", "upper bound of sigma's slope, > 0"},
                        {"R", "1", "bound of the rewards, > 0"},
                        {"delta", "auto", "probability of an error, in (0, 1); auto: 1/n"}}),
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        GlmUcbOptions options;
        options.ridge = p.real("ridge");
        options.least_slope = p.real("c");
        options.largest_slope = p.real("k");
        options.reward_bound = p.real("R");
        options.delta = real_or_auto(p, "delta");
        options.rounds = context.rounds;
        return make_policy(p, context, [&] { return GlmUcb::create(context.arms, options); });
      }};
}

}  // namespace phe
