#include "policies/log_fpl.hpp"

#include "policies/entries.hpp"

namespace phe {

const Keys<LogFplOptions>& LogFpl::keys() {
  using O = LogFplOptions;
  static const Keys<O> keys(
      "logfpl",
      {{"a", &O::noise_scale, check_positive, "scale of the noise on every observed reward, > 0"},
       {"ridge", &O::ridge, check_positive, "regularisation lambda of lambda |theta|^2, > 0"},
       {"a perturbed prior", &O::perturb_prior}});
  return keys;
}

LogFpl::LogFpl(const Arms& arms, const LogFplOptions& options)
    : Configured(options, arms, options.ridge),
      noise_(options.noise_scale,
             options.perturb_prior ? options.noise_scale * std::sqrt(8.0 * options.ridge) : 0.0,
             arms),
      target_(arms.dimension()) {}

std::span<const double> LogFpl::draw_target(Rng& rng) {
  const auto noise = noise_.draw(model_.rows(), rng);
  const auto rewards = model_.expected_target();
  for (std::size_t j = 0; j < target_.size(); ++j) target_[j] = rewards[j] + noise[j];
  return target_;
}

std::span<const double> LogFpl::draw(Rng& rng) { return fit(draw_target(rng)); }

ArmId LogFpl::choose(Offered& offered, Rng& rng) {
  return choose_certainly(draw_target(rng), offered, rng);
}

void LogFpl::observe(const Observation& observation) {
  LogisticLearner::observe(observation);
  noise_.add_pulls(observation.row, observation.pulls);
}

void LogFpl::persist(Archive& archive) {
  LogisticLearner::persist(archive);
  noise_.persist(archive, model_.rows());
}

PolicyEntry log_fpl_entry() {
  return entry_of<LogFpl>(
      "follow the perturbed leader on the logistic model, Gaussian noise; rewards in [0, 1]",
      {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
}

}  // namespace phe
