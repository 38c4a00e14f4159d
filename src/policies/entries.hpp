// A registry entry for each policy, defined beside the policy it builds.
#pragma once

#include "phe/registry.hpp"

namespace phe {

PolicyEntry lin_phe_entry();
PolicyEntry rff_phe_entry();
PolicyEntry lin_ucb_entry();
PolicyEntry lin_ts_entry();
PolicyEntry lin_eps_entry();
PolicyEntry greedy_entry();
PolicyEntry uniform_entry();
PolicyEntry lin_fpl_entry();
PolicyEntry lin_ens_entry();
PolicyEntry lin_giro_entry();
PolicyEntry giro_entry();
PolicyEntry phe_entry();
PolicyEntry ucb1_entry();
PolicyEntry kl_ucb_entry();
PolicyEntry beta_ts_entry();
PolicyEntry log_phe_entry();
PolicyEntry log_ts_entry();
PolicyEntry glm_ucb_entry();
PolicyEntry ucb_glm_entry();
PolicyEntry log_eps_entry();
PolicyEntry log_fpl_entry();
PolicyEntry pois_phe_entry();
PolicyEntry pois_ts_entry();
PolicyEntry pois_eps_entry();

}  // namespace phe
