#include "policies/glm_ucb.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "kernels/elementary.hpp"
#include "kernels/logistic.hpp"
#include "kernels/optimism.hpp"
#include "policies/best_arm.hpp"
#include "policies/binary_rewards.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

double confidence_radius(const Arms& arms, const GlmUcbOptions& o) {
  const auto d = static_cast<double>(arms.dimension());
  const auto n = static_cast<double>(std::max<std::uint64_t>(o.rounds, 2));
  const double kappa =
      std::sqrt(3.0 + 2.0 * kernels::log(1.0 + 2.0 * largest_squared_norm(arms) / o.ridge));
  return 2.0 * o.largest_slope * kappa * o.reward_bound / o.least_slope *
         std::sqrt(2.0 * d * kernels::log(n) * kernels::log(2.0 * d * n / o.delta.value_or(1 / n)));
}

}  // namespace

Result<GlmUcb> GlmUcb::create(const Arms& arms, const GlmUcbOptions& options) {
  if (auto checked = first_error({check_positive("glmucb", "ridge", options.ridge),
                                  check_positive("glmucb", "c", options.least_slope),
                                  check_positive("glmucb", "k", options.largest_slope),
                                  check_positive("glmucb", "R", options.reward_bound),
                                  check_confidence("glmucb", "delta", options.delta.value_or(0.5)),
                                  check_range("glmucb", options.rewards),
                                  LogisticModel::check("glmucb", arms, options.ridge)});
      !checked)
    return checked.error();
  return GlmUcb(arms, options);
}

GlmUcb::GlmUcb(const Arms& arms, const GlmUcbOptions& options)
    : options_(options),
      radius_(confidence_radius(arms, options)),
      map_(arms, options.ridge),
      widths_(arms, options.ridge),
      means_(arms.view().stride),
      slopes_(arms.view().stride),
      scores_(arms.view().stride) {}

ArmId GlmUcb::select(Rng& rng) {
  kernels::logistic(map_.score(map_.fit()), means_, slopes_);
  std::fill(means_.begin() + static_cast<std::ptrdiff_t>(map_.arms().size()), means_.end(),
            -std::numeric_limits<double>::infinity());
  const auto best = kernels::best_optimistic(means_, widths_.squared(), radius_, scores_);
  return best_arm(scores_, best, rng);
}

void GlmUcb::update(ArmId arm, double reward) {
  assert(arm < map_.arms().size());
  map_.learn(arm, binary(options_.rewards, reward));
  widths_.pulled(arm);
}

PolicyEntry glm_ucb_entry() {
  return {"glmucb",
          "optimism on the means of the logistic model (Filippi et al. 2010); rewards are 0 or 1",
          {{"ridge", "1", "regularisation lambda, > 0"},
           {"c", "0.25", "lower bound of sigma's slope, > 0; smaller explores more"},
           {"k", "0.25", "upper bound of sigma's slope, > 0"},
           {"R", "1", "bound of the rewards, > 0"},
           {"delta", "auto", "probability of an error, in (0, 1); auto: 1/n"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            GlmUcbOptions options;
            options.ridge = p.real("ridge");
            options.least_slope = p.real("c");
            options.largest_slope = p.real("k");
            options.reward_bound = p.real("R");
            options.delta = real_or_auto(p, "delta");
            options.rounds = context.rounds;
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            if (auto rewards = check_binary("glmucb", context); !rewards) return rewards.error();
            return boxed(GlmUcb::create(context.arms, options));
          }};
}

}  // namespace phe
