// The one list of what this library offers by name.
#include "phe/registry.hpp"
#include "policies/entries.hpp"
#include "problems/classify.hpp"
#include "problems/disjoint.hpp"
#include "problems/linear.hpp"
#include "problems/logistic.hpp"
#include "problems/mab.hpp"

namespace phe {

Registry Registry::built_in() {
  Registry registry;
  registry.add(lin_phe_entry());
  registry.add(lin_ucb_entry());
  registry.add(lin_ts_entry());
  registry.add(lin_eps_entry());
  registry.add(lin_fpl_entry());
  registry.add(lin_ens_entry());
  registry.add(lin_giro_entry());
  registry.add(greedy_entry());
  registry.add(uniform_entry());
  registry.add(phe_entry());
  registry.add(giro_entry());
  registry.add(log_phe_entry());
  registry.add(log_ts_entry());
  registry.add(glm_ucb_entry());
  registry.add(ucb_glm_entry());
  registry.add(log_eps_entry());
  registry.add(log_fpl_entry());
  registry.add(linear_entry());
  registry.add(disjoint_entry());
  registry.add(classify_entry());
  registry.add(mab_entry());
  registry.add(logistic_entry());
  return registry;
}

}  // namespace phe
