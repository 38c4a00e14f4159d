// The probabilities with which the actions of a logged event were drawn, read from its request and
// its answer.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "phe/result.hpp"
#include "serve/event_store.hpp"
#include "serve/rank_request.hpp"

namespace phe::serve {

// Of the actions that were not excluded, in the order of the request: action 0 is the baseline.
struct Propensities {
  std::span<const double> probabilities;
  std::size_t action = 0;  // the one that was shown
  const RankRequest* request = nullptr;
};

// Not thread-safe; used again it does not allocate.
class PropensityReader {
 public:
  PropensityReader();
  PropensityReader(PropensityReader&&) noexcept;
  ~PropensityReader();

  // Valid until the next call.
  Result<Propensities> read(const LoggedEvent& event);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace phe::serve
