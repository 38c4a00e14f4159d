#include "policies/ucb_glm.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/elementary.hpp"
#include "kernels/optimism.hpp"
#include "policies/best_arm.hpp"
#include "policies/binary_rewards.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

double confidence_radius(const Arms& arms, const UcbGlmOptions& o) {
  const auto d = static_cast<double>(arms.dimension());
  const auto n = static_cast<double>(std::max<std::uint64_t>(o.rounds, 2));
  return o.sigma / o.kappa *
         std::sqrt(0.5 * d * kernels::log(1.0 + 2.0 * n / d) -
                   kernels::log(o.delta.value_or(1 / n)));
}

}  // namespace

Result<UcbGlm> UcbGlm::create(const Arms& arms, const UcbGlmOptions& options) {
  if (auto checked = first_error({check_positive("ucbglm", "ridge", options.ridge),
                                  check_positive("ucbglm", "sigma", options.sigma),
                                  check_positive("ucbglm", "kappa", options.kappa),
                                  check_confidence("ucbglm", "delta", options.delta.value_or(0.5)),
                                  check_range("ucbglm", options.rewards),
                                  LogisticModel::check("ucbglm", arms, options.ridge)});
      !checked)
    return checked.error();
  return UcbGlm(arms, options);
}

UcbGlm::UcbGlm(const Arms& arms, const UcbGlmOptions& options)
    : options_(options),
      radius_(confidence_radius(arms, options)),
      map_(arms, options.ridge),
      widths_(arms, options.ridge),
      scores_(arms.view().stride) {}

ArmId UcbGlm::select(Rng& rng) {
  const auto best =
      kernels::best_optimistic(map_.score(map_.fit()), widths_.squared(), radius_, scores_);
  return best_arm(scores_, best, rng);
}

void UcbGlm::update(ArmId arm, double reward) {
  assert(arm < map_.arms().size());
  map_.learn(arm, binary(options_.rewards, reward));
  widths_.pulled(arm);
}

PolicyEntry ucb_glm_entry() {
  return {"ucbglm",
          "optimism on the scores of the logistic model (Li et al. 2017); rewards are 0 or 1",
          {{"ridge", "1", "regularisation lambda, > 0"},
           {"sigma", "0.5", "rewards are sigma-sub-Gaussian, > 0"},
           {"kappa", "0.25", "lower bound of the slope, > 0; smaller explores more"},
           {"delta", "auto", "probability of an error, in (0, 1); auto: 1/n"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            UcbGlmOptions options;
            options.ridge = p.real("ridge");
            options.sigma = p.real("sigma");
            options.kappa = p.real("kappa");
            options.delta = real_or_auto(p, "delta");
            options.rounds = context.rounds;
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            if (auto rewards = check_binary("ucbglm", context); !rewards) return rewards.error();
            return boxed(UcbGlm::create(context.arms, options));
          }};
}

}  // namespace phe
