#include "policies/log_fpl.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/normal.hpp"
#include "kernels/weighted_sum.hpp"
#include "policies/best_arm.hpp"
#include "policies/binary_rewards.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LogFpl> LogFpl::create(const Arms& arms, const LogFplOptions& options) {
  if (auto checked = first_error({check_positive("logfpl", "a", options.noise_scale),
                                  check_positive("logfpl", "ridge", options.ridge),
                                  check_range("logfpl", options.rewards),
                                  LogisticModel::check("logfpl", arms, options.ridge)});
      !checked)
    return checked.error();
  return LogFpl(arms, options);
}

LogFpl::LogFpl(const Arms& arms, const LogFplOptions& options)
    : options_(options),
      history_(arms.size()),
      model_(arms, options.ridge),
      initial_(arms),
      reward_part_(arms.dimension()),
      deviations_(arms.view().stride),
      noise_(arms.view().stride),
      target_(arms.dimension()),
      theta_(arms.dimension()),
      scores_(arms.view().stride) {}

ArmId LogFpl::select(Rng& rng) {
  if (!initial_.empty()) return initial_.next();
  const FeatureView rows = model_.rows();
  for (std::size_t i = 0; i < rows.arms; ++i) noise_[i] = deviations_[i] * kernels::normal(rng);
  std::ranges::copy(reward_part_, target_.begin());
  kernels::add_weighted_sum(rows, noise_, target_);
  last_fit_ = model_.fit_until_certain(target_, theta_, scores_);
  return best_arm(scores_, rng);
}

void LogFpl::update(ArmId arm, double reward) {
  assert(arm < history_.rows());
  const double success = binary(options_.rewards, reward);
  initial_.pulled(arm);
  history_.add(arm, reward);
  const std::uint32_t row = model_.add(arm, 1.0, success);
  deviations_[row] = options_.noise_scale * std::sqrt(static_cast<double>(history_.pulls(arm)));
  for (std::size_t j = 0; j < reward_part_.size(); ++j)
    reward_part_[j] += success * model_.arms().at(arm, j);
}

PolicyEntry log_fpl_entry() {
  return {"logfpl",
          "follow the perturbed leader on the logistic model, Gaussian noise; rewards are 0 or 1",
          {{"a", "0.5", "scale of the noise on every observed reward, > 0"},
           {"ridge", "0.5", "regularisation lambda of lambda |theta|^2, > 0"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LogFplOptions options;
            options.noise_scale = p.real("a");
            options.ridge = p.real("ridge");
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            if (auto rewards = check_binary("logfpl", context); !rewards) return rewards.error();
            return boxed(LogFpl::create(context.arms, options));
          }};
}

}  // namespace phe
