#include "policies/lin_eps.hpp"

#include "core/best_arm.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinEps> LinEps::create(const Arms& arms, const LinEpsOptions& options) {
  if (auto checked = first_error({check_probability("lineps", "epsilon", options.epsilon),
                                  check_positive("lineps", "ridge", options.ridge),
                                  check_arms("lineps", arms)});
      !checked)
    return checked.error();
  return LinEps(arms.dimension(), options, "lineps");
}

Result<LinEps> LinEps::greedy(const Arms& arms, const LinEpsOptions& options) {
  if (auto checked = first_error(
          {check_positive("greedy", "ridge", options.ridge), check_arms("greedy", arms)});
      !checked)
    return checked.error();
  LinEpsOptions never = options;
  never.epsilon = 0.0;
  return LinEps(arms.dimension(), never, "greedy");
}

LinEps::LinEps(std::size_t dimension, const LinEpsOptions& options, std::string_view name)
    : options_(options), rows_(dimension), model_(dimension, options.ridge), name_(name) {}

double LinEps::epsilon(const LinEpsOptions& options, std::uint64_t round) noexcept {
  return epsilon_in_round(options.schedule, options.epsilon, options.rounds, round);
}

bool LinEps::probabilities(Offered& offered, std::span<double> of_each) {
  offered.score(model_.fit(), of_each);
  share_among_best(of_each);
  return true;
}

std::span<const double> LinEps::draw(Rng& /*rng*/) { return model_.fit(); }

void LinEps::observe(const Observation& observation) {
  model_.learn(rows_.features(observation.row), observation.mass(), observation.reward_sum);
}

void LinEps::identify(Archive& archive) {
  archive.same(options_.epsilon, "epsilon");
  archive.same(options_.schedule, "schedule");
  archive.same(options_.ridge, "ridge");
  archive.same(options_.rounds, "rounds");
}

void LinEps::persist(Archive& archive) { model_.persist(archive); }

void LinEps::merge(const Learner& other) {
  model_.merge(dynamic_cast<const LinEps&>(other).model_);
}

PolicyEntry lin_eps_entry() {
  return {"lineps", "epsilon-greedy on the ridge model",
          with_common_keys({{"epsilon", "0.05", "exploration rate, from 0 to 1"},
                            {"schedule", "authors", epsilon_schedule_meaning},
                            {"ridge", "1", "regularisation lambda, > 0"},
                            {"basis", "false", "first pull each arm of a basis once"}}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinEpsOptions options;
            options.epsilon = p.real("epsilon");
            options.schedule = read_epsilon_schedule(p);
            options.ridge = p.real("ridge");
            options.rounds = context.rounds;
            return make_policy(p, context, [&] { return LinEps::create(context.arms, options); },
                               {.fixed = p.flag("basis") ? Start::basis : Start::none});
          }};
}

PolicyEntry greedy_entry() {
  return {"greedy", "the best arm of the ridge model, without exploration",
          with_common_keys({{"ridge", "1", "regularisation lambda, > 0"},
                            {"basis", "true", "first pull each arm of a basis once"}}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LinEpsOptions options;
            options.ridge = p.real("ridge");
            return make_policy(p, context, [&] { return LinEps::greedy(context.arms, options); },
                               {.fixed = p.flag("basis") ? Start::basis : Start::none});
          }};
}

}  // namespace phe
