#include "policies/ucb_glm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<UcbGlm> UcbGlm::create(const Arms& arms, const UcbGlmOptions& options) {
  if (auto checked = first_error({check_positive("ucbglm", "ridge", options.ridge),
                                  check_positive("ucbglm", "sigma", options.sigma),
                                  check_positive("ucbglm", "kappa", options.kappa),
                                  check_confidence("ucbglm", "delta", options.delta.value_or(0.5)),
                                  LogisticModel::check("ucbglm", arms, options.ridge)});
      !checked)
    return checked.error();
  return UcbGlm(arms, options);
}

UcbGlm::UcbGlm(const Arms& arms, const UcbGlmOptions& options)
    : LogisticUcb(arms, options.ridge, Bound::of_score), options_(options) {
  see_norm(largest_squared_norm(arms));
}

double UcbGlm::radius_for(double /*squared_norm*/) const noexcept {
  const auto d = static_cast<double>(model_.dimension());
  const auto n = static_cast<double>(std::max<std::uint64_t>(options_.rounds, 2));
  return options_.sigma / options_.kappa *
         std::sqrt(0.5 * d * kernels::log(1.0 + 2.0 * n / d) -
                   kernels::log(options_.delta.value_or(1 / n)));
}

void UcbGlm::identify(Archive& archive) {
  archive.same(options_.ridge, "ridge");
  archive.same(options_.sigma, "sigma");
  archive.same(options_.kappa, "kappa");
  archive.same(options_.delta.value_or(0.0), "delta");
  archive.same(options_.rounds, "rounds");
}

PolicyEntry ucb_glm_entry() {
  return {
      "ucbglm", "optimism on the scores of the logistic model (Li et al. 2017); rewards are 0 or 1",
      with_common_keys({{"ridge", "1", "regularisation lambda, > 0"},
                        {"sigma", "0.5", "rewards are sigma-sub-Gaussian, > 0"},
                        {"kappa", "0.25", "lower bound of the slope, > 0; smaller explores more"},
                        {"delta", "auto", "probability of an error, in (0, 1); auto: 1/n"}}),
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        UcbGlmOptions options;
        options.ridge = p.real("ridge");
        options.sigma = p.real("sigma");
        options.kappa = p.real("kappa");
        options.delta = real_or_auto(p, "delta");
        options.rounds = context.rounds;
        return make_policy(p, context, [&] { return UcbGlm::create(context.arms, options); });
      }};
}

}  // namespace phe
