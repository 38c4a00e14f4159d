// The numbers of the page, as JSON: one document, which docs/service.md describes.
#pragma once

#include <map>
#include <string>

#include "serve/observer.hpp"

namespace phe::serve {

struct OverviewInputs {
  Observer& observer;
  const std::map<std::string, Observer*>& visible;  // all that the key may see
  std::int64_t began = 0;                           // when the service was started
  std::int64_t minutes = 60;                        // how far to look back, one of overview_minutes
};

inline constexpr std::array<std::int64_t, 4> overview_minutes{10, 60, 360, 1440};

Result<std::string> overview_json(const OverviewInputs& inputs);

}  // namespace phe::serve
