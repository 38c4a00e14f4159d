#include "policies/lin_fpl.hpp"

#include <cmath>

#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinFpl> LinFpl::create(const Arms& arms, const LinFplOptions& options) {
  if (auto checked = first_error({check_positive("linfpl", "a", options.noise_scale),
                                  check_positive("linfpl", "ridge", options.ridge),
                                  check_arms("linfpl", arms)});
      !checked)
    return checked.error();
  return LinFpl(arms, options);
}

LinFpl::LinFpl(const Arms& arms, const LinFplOptions& options)
    : options_(options),
      rows_(arms.dimension(), Rows::Layout::both),
      model_(arms.dimension(), options.ridge),
      noise_(options.noise_scale,
             options.perturb_prior ? options.noise_scale * std::sqrt(options.ridge) : 0.0, arms) {}

std::span<const double> LinFpl::draw(Rng& rng) { return model_.fit(noise_.draw(rows_, rng)); }

void LinFpl::observe(const Observation& observation) {
  model_.learn(rows_.features(observation.row), observation.mass(), observation.reward_sum);
  noise_.add_pulls(observation.row, observation.pulls);
}

void LinFpl::identify(Archive& archive) {
  archive.same(options_.noise_scale, "a");
  archive.same(options_.ridge, "ridge");
  archive.same(options_.perturb_prior, "a perturbed prior");
}

void LinFpl::persist(Archive& archive) {
  model_.persist(archive);
  noise_.persist(archive);
}

void LinFpl::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinFpl&>(other);
  model_.merge(same.model_);
  for (RowId row = 0; row < same.rows_.size(); ++row)
    noise_.add_pulls(rows_.intern(same.rows_.features(row).first(rows_.dimension())),
                     same.noise_.pulls(row));
}

PolicyEntry lin_fpl_entry() {
  return {
      "linfpl", "follow the perturbed leader: fresh Gaussian noise on every observed reward",
      with_common_keys(
          {{"a", "0.5", "scale of the noise, > 0"}, {"ridge", "1", "regularisation lambda, > 0"}}),
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        LinFplOptions options;
        options.noise_scale = p.real("a");
        options.ridge = p.real("ridge");
        return make_policy(p, context,
                           [&](Start start) {
                             options.perturb_prior = start == Start::prior;
                             return LinFpl::create(context.arms, options);
                           },
                           {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
      }};
}

}  // namespace phe
