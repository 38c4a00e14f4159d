// The one list of what this library offers by name.
#include "phe/registry.hpp"
#include "policies/entries.hpp"
#include "problems/classify.hpp"
#include "problems/disjoint.hpp"
#include "problems/glm.hpp"
#include "problems/linear.hpp"
#include "problems/mab.hpp"
#include "problems/nonlinear.hpp"
#ifdef PHE_HAS_XGBOOST
#include "xgboost/xgb_phe.hpp"
#endif

namespace phe {

Registry Registry::built_in() {
  Registry registry;
  registry.add(lin_phe_entry());
  registry.add(rff_phe_entry());
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
  registry.add(ucb1_entry());
  registry.add(kl_ucb_entry());
  registry.add(beta_ts_entry());
  registry.add(log_phe_entry());
  registry.add(log_ts_entry());
  registry.add(glm_ucb_entry());
  registry.add(ucb_glm_entry());
  registry.add(log_eps_entry());
  registry.add(log_fpl_entry());
  registry.add(pois_phe_entry());
  registry.add(pois_ts_entry());
  registry.add(pois_eps_entry());
#ifdef PHE_HAS_XGBOOST
  registry.add(xgb_phe_entry());
#endif
  registry.add(linear_entry());
  registry.add(nonlinear_entry());
  registry.add(disjoint_entry());
  registry.add(classify_entry());
  registry.add(mab_entry());
  registry.add(logistic_entry());
  registry.add(poisson_entry());
  return registry;
}

}  // namespace phe
