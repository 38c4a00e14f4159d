// What the service tells Prometheus; docs/service.md lists the names.
#pragma once

#include <map>
#include <string>

#include "serve/applications.hpp"
#include "serve/observer.hpp"
#include "serve/request_counts.hpp"

namespace phe::serve {

// Of the applications in `observers`.
std::string metrics_text(const RequestCounts& requests, std::size_t connections,
                         const std::map<std::string, Observer*>& observers);

}  // namespace phe::serve
