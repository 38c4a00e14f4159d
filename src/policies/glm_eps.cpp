#include "policies/glm_eps.hpp"

#include <algorithm>

#include "core/best_arm.hpp"
#include "policies/entries.hpp"

namespace phe {

namespace {

template <class Link>
constexpr std::string_view name_of = "logeps";
template <>
constexpr std::string_view name_of<LogLink> = "poiseps";

}  // namespace

template <class Link>
const Keys<GlmEpsOptions>& GlmEps<Link>::keys() {
  static const Keys<GlmEpsOptions> keys(name_of<Link>,
                                        epsilon_keys<GlmEpsOptions>(" of lambda |theta|^2, > 0"));
  return keys;
}

template <class Link>
ArmId GlmEps<Link>::choose(Offered& offered, Rng& rng) {
  return this->choose_certainly(this->model_.expected_target(), offered, rng);
}

template <class Link>
bool GlmEps<Link>::probabilities(Offered& offered, std::span<double> of_each) {
  const auto scores = this->certain_scores(this->model_.expected_target(), offered);
  std::ranges::copy(scores.first(of_each.size()), of_each.begin());
  share_among_best(of_each);
  return true;
}

template class GlmEps<LogitLink>;
template class GlmEps<LogLink>;

PolicyEntry log_eps_entry() {
  return entry_of<LogEps>("epsilon-greedy on the logistic model; rewards in [0, 1]",
                          basis_if_asked<GlmEpsOptions>);
}
PolicyEntry pois_eps_entry() {
  return entry_of<PoisEps>("epsilon-greedy on the model of Poisson counts; rewards in [0, M]",
                           basis_if_asked<GlmEpsOptions>);
}

}  // namespace phe
