#include "policies/log_eps.hpp"

#include <algorithm>

#include "core/best_arm.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LogEps> LogEps::create(const Arms& arms, const LogEpsOptions& options) {
  if (auto checked = first_error({check_probability("logeps", "epsilon", options.epsilon),
                                  check_positive("logeps", "ridge", options.ridge),
                                  LogisticModel::check("logeps", arms, options.ridge)});
      !checked)
    return checked.error();
  return LogEps(arms, options);
}

double LogEps::exploration(std::uint64_t round) const noexcept {
  return epsilon_in_round(options_.schedule, options_.epsilon, options_.rounds, round);
}

ArmId LogEps::choose(Offered& offered, Rng& rng) {
  return choose_certainly(model_.expected_target(), offered, rng);
}

bool LogEps::probabilities(Offered& offered, std::span<double> of_each) {
  std::ranges::copy(certain_scores(model_.expected_target(), offered).first(of_each.size()),
                    of_each.begin());
  share_among_best(of_each);
  return true;
}

std::span<const double> LogEps::draw(Rng& /*rng*/) { return fit(); }

void LogEps::identify(Archive& archive) {
  archive.same(options_.epsilon, "epsilon");
  archive.same(options_.schedule, "schedule");
  archive.same(options_.ridge, "ridge");
  archive.same(options_.rounds, "rounds");
}

PolicyEntry log_eps_entry() {
  return {"logeps", "epsilon-greedy on the logistic model; rewards are 0 or 1",
          with_common_keys({{"epsilon", "0.05", "exploration rate, from 0 to 1"},
                            {"schedule", "authors", epsilon_schedule_meaning},
                            {"ridge", "0.5", "regularisation lambda of lambda |theta|^2, > 0"},
                            {"basis", "false", "first pull each arm of a basis once"}}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LogEpsOptions options;
            options.epsilon = p.real("epsilon");
            options.schedule = read_epsilon_schedule(p);
            options.ridge = p.real("ridge");
            options.rounds = context.rounds;
            return make_policy(p, context, [&] { return LogEps::create(context.arms, options); },
                               {.fixed = p.flag("basis") ? Start::basis : Start::none});
          }};
}

}  // namespace phe
