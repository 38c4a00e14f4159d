#include "policies/lin_eps.hpp"

#include <cassert>

#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinEps> LinEps::create(Arms arms, const LinEpsOptions& options) {
  if (auto checked =
          first_error({check_probability("lineps", "epsilon", options.epsilon),
                       check_positive("lineps", "ridge", options.ridge),
                       check_range("lineps", options.rewards), check_features("lineps", arms)});
      !checked)
    return checked.error();
  return LinEps(std::move(arms), options, "lineps");
}

Result<LinEps> LinEps::greedy(Arms arms, const LinEpsOptions& options) {
  if (auto checked =
          first_error({check_positive("greedy", "ridge", options.ridge),
                       check_range("greedy", options.rewards), check_features("greedy", arms)});
      !checked)
    return checked.error();
  LinEpsOptions never = options;
  never.epsilon = 0.0;
  return LinEps(std::move(arms), never, "greedy");
}

LinEps::LinEps(Arms arms, const LinEpsOptions& options, std::string_view name)
    : options_(options),
      model_(std::move(arms), options.ridge),
      scorer_(model_.arms()),
      initial_(options.basis ? InitialArms(model_.arms()) : InitialArms()),
      name_(name) {}

double LinEps::epsilon(const LinEpsOptions& options, std::uint64_t round) noexcept {
  return epsilon_in_round(options.schedule, options.epsilon, options.rounds, round);
}

ArmId LinEps::select(Rng& rng) {
  if (!initial_.empty()) return initial_.next();
  if (options_.epsilon > 0 && to_unit(rng()) < epsilon(options_, round_))
    return static_cast<ArmId>(rng.below(model_.arms().size()));
  return scorer_.best(model_.fit(), rng);
}

void LinEps::update(ArmId arm, double reward) {
  assert(arm < model_.arms().size());
  initial_.pulled(arm);
  model_.learn(arm, options_.rewards.to_unit(reward));
  ++round_;
}

PolicyEntry lin_eps_entry() {
  return {"lineps",
          "epsilon-greedy on the ridge model",
          {{"epsilon", "0.05", "exploration rate, from 0 to 1"},
           {"schedule", "authors",
            "epsilon_t: authors = epsilon sqrt(n/t) / 2 | paper = epsilon / (2 sqrt t) | constant"},
           {"ridge", "1", "regularisation lambda, > 0"},
           {"basis", "false", "first pull each arm of a basis once"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinEpsOptions options;
            options.epsilon = p.real("epsilon");
            options.schedule = static_cast<EpsilonSchedule>(
                p.choice("schedule", {"authors", "paper", "constant"}));
            options.ridge = p.real("ridge");
            options.basis = p.flag("basis");
            options.rounds = context.rounds;
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            return boxed(LinEps::create(context.arms, options));
          }};
}

PolicyEntry greedy_entry() {
  return {"greedy",
          "the best arm of the ridge model, without exploration",
          {{"ridge", "1", "regularisation lambda, > 0"},
           {"basis", "true", "first pull each arm of a basis once"}},
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinEpsOptions options;
            options.ridge = p.real("ridge");
            options.basis = p.flag("basis");
            options.rewards = context.rewards;
            if (!p.error()) return p.error().error();
            return boxed(LinEps::greedy(context.arms, options));
          }};
}

}  // namespace phe
