// The event log as JSON Lines (docs/log-format.md), for phe evaluate and phe learn.
//
// An event is a line when no reward can change it any more, and it took effect. Actions are those
// that were not excluded, in the order of the request, so action 0 is the baseline.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "serve/event_store.hpp"

namespace phe::serve {

// A policy that reads along: its probabilities of each event, before it learns from it, stand in
// the line under `key`.
struct Contender {
  std::string key;
  std::unique_ptr<Policy> policy;
  double floor = 0.0;
  std::size_t dimension = 0;
  Rng rng{1};
};

struct LogSummary {
  std::int64_t lines = 0;
};

// Hands each line, with its line feed, to `write` until that returns false.
Result<LogSummary> write_log_lines(EventReader& reader, std::int64_t from, std::int64_t to,
                                   std::vector<Contender> contenders,
                                   const std::function<bool(std::string_view)>& write);

}  // namespace phe::serve
