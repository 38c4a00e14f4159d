#include "policies/lin_fpl.hpp"

#include <cmath>

#include "policies/entries.hpp"

namespace phe {

const Keys<LinFplOptions>& LinFpl::keys() {
  using O = LinFplOptions;
  static const Keys<O> keys("linfpl",
                            {{"a", &O::noise_scale, check_positive, "scale of the noise, > 0"},
                             {"ridge", &O::ridge, check_positive, "regularisation lambda, > 0"},
                             {"a perturbed prior", &O::perturb_prior}});
  return keys;
}

LinFpl::LinFpl(const Arms& arms, const LinFplOptions& options)
    : Configured(options, arms.dimension(), options.ridge, 1.0, Rows::Layout::both),
      noise_(options.noise_scale,
             options.perturb_prior ? options.noise_scale * std::sqrt(options.ridge) : 0.0, arms) {}

std::span<const double> LinFpl::draw(Rng& rng) { return model_.fit(noise_.draw(rows_, rng)); }

void LinFpl::observe(const Observation& observation) {
  LinearLearner::observe(observation);
  noise_.add_pulls(observation.row, observation.pulls);
}

void LinFpl::persist(Archive& archive) {
  LinearLearner::persist(archive);
  noise_.persist(archive, rows_);
}

void LinFpl::merge(const Learner& other) {
  LinearLearner::merge(other);
  const auto& same = dynamic_cast<const LinFpl&>(other);
  for (RowId row = 0; row < same.rows_.size(); ++row)
    noise_.add_pulls(rows_.intern(same.rows_, row), same.noise_.pulls(row));
}

PolicyEntry lin_fpl_entry() {
  return entry_of<LinFpl>(
      "follow the perturbed leader: fresh Gaussian noise on every observed reward",
      {.fixed = Start::basis, .contexts = Start::prior, .has_prior = true});
}

}  // namespace phe
