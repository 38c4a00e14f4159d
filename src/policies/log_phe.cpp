#include "phe/log_phe.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/score_arms.hpp"
#include "policies/best_arm.hpp"
#include "policies/binary_rewards.hpp"
#include "policies/entries.hpp"
#include "support/error.hpp"

namespace phe {

Result<LogPhe> LogPhe::create(Arms arms, const LogPheOptions& options) {
  History none(arms.size());
  return create(std::move(arms), options, std::move(none));
}

Result<LogPhe> LogPhe::create(Arms arms, const LogPheOptions& options, History history) {
  if (auto model = LogisticModel::check("logphe", arms, options.ridge); !model)
    return model.error();
  if (auto rewards = check_binary("logphe", options.rewards, history, arms.size()); !rewards)
    return rewards.error();
  const auto scale = PerturbationScale::from(options.perturbation_scale);
  if (!scale) return invalid("logphe: {}", scale.error().message);
  // Pseudo-rewards are drawn exactly up to this many of an arm.
  for (ArmId arm = 0; arm < arms.size(); ++arm)
    if (static_cast<double>(history.pulls(arm)) * options.perturbation_scale > 0x1p40)
      return invalid("logphe: history, row {}: a times the pulls must be at most 2^40, got {} * {}",
                     arm, options.perturbation_scale, history.pulls(arm));
  return LogPhe(std::move(arms), options, scale.value(), std::move(history));
}

LogPhe::LogPhe(Arms arms, const LogPheOptions& options, PerturbationScale scale, History history)
    : arms_(std::move(arms)),
      options_(options),
      history_(std::move(history)),
      pseudo_rewards_(scale, arms_),
      model_(arms_, options.ridge),
      initial_(arms_.independent_arms()),
      reward_part_(arms_.dimension()),
      target_(arms_.dimension()),
      theta_(arms_.dimension()),
      scores_(arms_.view().stride) {
  for (ArmId arm = 0; arm < arms_.size(); ++arm) {
    const std::uint64_t pulls = history_.pulls(arm);
    if (pulls == 0) continue;
    std::erase(initial_, arm);
    absorb(arm, pulls, phe::successes(options_.rewards, history_, arm));
  }
  std::ranges::reverse(initial_);  // pulled from the back
}

ArmId LogPhe::select(Rng& rng) {
  // Lines 10-11: the first d rounds pull a basis, each arm once.
  if (!initial_.empty()) return initial_.back();
  fit(rng);
  // Line 9: I_t = argmax x_i^T theta; the sigmoid changes no order.
  return best_arm(scores_, rng);
}

void LogPhe::fit(Rng& rng) noexcept {
  // Line 6: fresh pseudo-rewards; the model sees only sum_i x_i U_i with U_i ~ B(a T_i, 1/2).
  const auto pseudo_part = pseudo_rewards_.draw(rng);
  // Section 3.3 in place of line 8: T_i + ceil(a T_i) observations, V_i + U_i of them positive.
  for (std::size_t j = 0; j < target_.size(); ++j) target_[j] = reward_part_[j] + pseudo_part[j];
  if (options_.stop == LogisticStop::arm) {
    last_fit_ = model_.fit_until_certain(target_, theta_, scores_);
  } else {
    last_fit_ = model_.fit(target_, theta_);
    kernels::score_arms(arms_.view(), theta_, scores_);
  }
  separable_fits_ += last_fit_.separable ? 1 : 0;
}

void LogPhe::update(ArmId arm, double reward) {
  assert(arm < arms_.size());
  if (!initial_.empty()) std::erase(initial_, arm);
  history_.add(arm, reward);
  absorb(arm, 1, binary(options_.rewards, reward));
}

void LogPhe::absorb(ArmId arm, std::uint64_t pulls, double successes) noexcept {
  const auto new_pulls = static_cast<double>(pulls);
  const auto new_trials = static_cast<double>(pseudo_rewards_.set_pulls(arm, history_.pulls(arm)));
  // Line 7: the pulls and their pseudo-rewards are observations of the same model. Half of the
  // latter are positive on average.
  model_.add(arm, new_pulls + new_trials, successes + 0.5 * new_trials);
  for (std::size_t j = 0; j < reward_part_.size(); ++j)
    reward_part_[j] += successes * arms_.at(arm, j);
}

PolicyEntry log_phe_entry() {
  return {"logphe",
          "perturbed-history exploration in a logistic bandit (Section 3.3); rewards are 0 or 1",
          {{"a", "0.5", "perturbation scale: pseudo-rewards per observed reward, > 0"},
           {"ridge", "0.5", "regularisation lambda of lambda |theta|^2; 0 is maximum likelihood"},
           {"stop", "arm", "fit until: arm (the arm is certain) | gradient (theta converged)"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LogPheOptions options;
            options.perturbation_scale = p.real("a");
            options.ridge = p.real("ridge");
            options.stop = static_cast<LogisticStop>(p.choice("stop", {"arm", "gradient"}));
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            if (auto rewards = check_binary("logphe", context); !rewards) return rewards.error();
            auto policy = LogPhe::create(context.arms, options);
            if (!policy) return policy.error();
            return std::make_unique<LogPhe>(std::move(policy).value());
          }};
}

}  // namespace phe
