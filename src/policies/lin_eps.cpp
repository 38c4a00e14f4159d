#include "policies/lin_eps.hpp"

#include "core/best_arm.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<LinEpsOptions>& LinEps::keys() {
  static const Keys<LinEpsOptions> keys("lineps", epsilon_keys<LinEpsOptions>(", > 0"));
  return keys;
}

const Keys<GreedyOptions>& Greedy::keys() {
  using O = GreedyOptions;
  static const Keys<O> keys("greedy",
                            {{"ridge", &O::ridge, check_positive, "regularisation lambda, > 0"},
                             {"basis", &O::basis, "first pull each arm of a basis once"}});
  return keys;
}

bool GreedyLearner::probabilities(Offered& offered, std::span<double> of_each) {
  offered.score(model_.fit(), of_each);
  share_among_best(of_each);
  return true;
}

PolicyEntry lin_eps_entry() {
  return entry_of<LinEps>("epsilon-greedy on the ridge model", basis_if_asked<LinEpsOptions>);
}

PolicyEntry greedy_entry() {
  return entry_of<Greedy>("the best arm of the ridge model, without exploration",
                          basis_if_asked<GreedyOptions>);
}

}  // namespace phe
