#include "policies/log_fpl.hpp"

#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LogFpl> LogFpl::create(const Arms& arms, const LogFplOptions& options) {
  if (auto checked = first_error({check_positive("logfpl", "a", options.noise_scale),
                                  check_positive("logfpl", "ridge", options.ridge),
                                  LogisticModel::check("logfpl", arms, options.ridge)});
      !checked)
    return checked.error();
  return LogFpl(arms, options);
}

LogFpl::LogFpl(const Arms& arms, const LogFplOptions& options)
    : LogisticLearner(arms, options.ridge),
      options_(options),
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

void LogFpl::identify(Archive& archive) {
  archive.same(options_.noise_scale, "a");
  archive.same(options_.ridge, "ridge");
  archive.same(options_.perturb_prior, "a perturbed prior");
}

void LogFpl::persist(Archive& archive) {
  LogisticLearner::persist(archive);
  noise_.persist(archive);
}

PolicyEntry log_fpl_entry() {
  return {"logfpl",
          "follow the perturbed leader on the logistic model, Gaussian noise; rewards are 0 or 1",
          with_common_keys({{"a", "0.5", "scale of the noise on every observed reward, > 0"},
                            {"ridge", "0.5", "regularisation lambda of lambda |theta|^2, > 0"}}),
          [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
            LogFplOptions options;
            options.noise_scale = p.real("a");
            options.ridge = p.real("ridge");
            return make_policy(
                p, context,
                [&](Start start) {
                  options.perturb_prior = start == Start::prior;
                  return LogFpl::create(context.arms, options);
                },
                {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
          }};
}

}  // namespace phe
