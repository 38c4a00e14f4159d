#include "policies/log_eps.hpp"

#include <cassert>

#include "policies/best_arm.hpp"
#include "policies/binary_rewards.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LogEps> LogEps::create(const Arms& arms, const LogEpsOptions& options) {
  if (auto checked = first_error({check_probability("logeps", "epsilon", options.epsilon),
                                  check_positive("logeps", "ridge", options.ridge),
                                  check_range("logeps", options.rewards),
                                  LogisticModel::check("logeps", arms, options.ridge)});
      !checked)
    return checked.error();
  return LogEps(arms, options);
}

LogEps::LogEps(const Arms& arms, const LogEpsOptions& options)
    : options_(options),
      map_(arms, options.ridge),
      initial_(options.basis ? InitialArms(arms) : InitialArms()) {}

ArmId LogEps::select(Rng& rng) {
  if (!initial_.empty()) return initial_.next();
  const double epsilon =
      epsilon_in_round(options_.schedule, options_.epsilon, options_.rounds, round_);
  if (epsilon > 0 && to_unit(rng()) < epsilon)
    return static_cast<ArmId>(rng.below(map_.arms().size()));
  return best_arm(map_.greedy_scores(), rng);
}

void LogEps::update(ArmId arm, double reward) {
  assert(arm < map_.arms().size());
  initial_.pulled(arm);
  map_.learn(arm, binary(options_.rewards, reward));
  ++round_;
}

PolicyEntry log_eps_entry() {
  return {"logeps",
          "epsilon-greedy on the logistic model; rewards are 0 or 1",
          {{"epsilon", "0.05", "exploration rate, from 0 to 1"},
           {"schedule", "authors",
            "epsilon_t: authors = epsilon sqrt(n/t) / 2 | paper = epsilon / (2 sqrt t) | constant"},
           {"ridge", "0.5", "regularisation lambda of lambda |theta|^2, > 0"},
           {"basis", "false", "first pull each arm of a basis once"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LogEpsOptions options;
            options.epsilon = p.real("epsilon");
            options.schedule = static_cast<EpsilonSchedule>(
                p.choice("schedule", {"authors", "paper", "constant"}));
            options.ridge = p.real("ridge");
            options.basis = p.flag("basis");
            options.rounds = context.rounds;
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            if (auto rewards = check_binary("logeps", context); !rewards) return rewards.error();
            return boxed(LogEps::create(context.arms, options));
          }};
}

}  // namespace phe
