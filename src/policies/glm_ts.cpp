#include "policies/glm_ts.hpp"

#include "kernels/normal.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

template <class Link>
constexpr std::string_view name_of = "logts";
template <>
constexpr std::string_view name_of<LogLink> = "poists";

}  // namespace

template <class Link>
const Keys<GlmTsOptions>& GlmTs<Link>::keys() {
  static const Keys<GlmTsOptions> keys(
      name_of<Link>,
      {{"ridge", &GlmTsOptions::ridge, check_positive, "the prior is N(0, I / (2 ridge)); > 0"}});
  return keys;
}

template <class Link>
std::span<const double> GlmTs<Link>::draw(Rng& rng) {
  for (double& normal : normals_) normal = kernels::normal(rng);
  this->fit();
  this->model_.perturb(normals_, this->theta_);
  return this->theta_;
}

template class GlmTs<LogitLink>;
template class GlmTs<LogLink>;

PolicyEntry log_ts_entry() {
  return entry_of<LogTs>(
      "Thompson sampling on the logistic model, Laplace's approximation; rewards in [0, 1]");
}
PolicyEntry pois_ts_entry() {
  return entry_of<PoisTs>(
      "Thompson sampling on the model of Poisson counts, Laplace's approximation; rewards in [0, "
      "M]");
}

}  // namespace phe
