#include "policies/log_eps.hpp"

#include <algorithm>

#include "core/best_arm.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<LogEpsOptions>& LogEps::keys() {
  static const Keys<LogEpsOptions> keys("logeps",
                                        epsilon_keys<LogEpsOptions>(" of lambda |theta|^2, > 0"));
  return keys;
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

PolicyEntry log_eps_entry() {
  return entry_of<LogEps>("epsilon-greedy on the logistic model; rewards are 0 or 1",
                          basis_if_asked<LogEpsOptions>);
}

}  // namespace phe
