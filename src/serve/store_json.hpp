// How a node stands with the store that it shares, as JSON: the same for the API and for the page.
#pragma once

#include <nlohmann/json.hpp>

#include "serve/configuration.hpp"
#include "serve/store_health.hpp"

namespace phe::serve {

inline nlohmann::json store_json(const StoreState& store) {
  return {{"connected", store.connected},
          {"since", time_text(store.since)},
          {"problem", store.problem},
          {"rewardsWhileAway", store.buffers_rewards ? "buffer" : "refuse"},
          {"lagMilliseconds", store.lag},
          {"buffered", store.buffered},
          {"refused", store.refused},
          {"folded", store.folded},
          {"position", store.position},
          {"risks", store.risks}};
}

}  // namespace phe::serve
