// All applications of a service by their names; replaced as a whole when one is added.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "serve/application.hpp"

namespace phe::serve {

using Applications = std::map<std::string, std::shared_ptr<Application>, std::less<>>;

// The application that is there from the start. Its keys are those of whoever runs the service:
// they see the numbers of all applications, other keys those of their own.
inline constexpr std::string_view first_application = "default";

// Whether the log of one of them cannot be written.
inline bool any_failing(const Applications& all) {
  return std::ranges::any_of(all, [](const auto& entry) { return entry.second->failing(); });
}

}  // namespace phe::serve
