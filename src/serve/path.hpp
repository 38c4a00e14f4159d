// The path of a request: which version of the API, and the parts behind it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/configuration.hpp"

namespace phe::serve {

struct Path {
  DurationForm durations = DurationForm::iso;
  std::vector<std::string> parts;  // split at '/', then each percent-decoded
  std::string query;

  // The value of `name` in the query, decoded.
  [[nodiscard]] std::optional<std::string> parameter(std::string_view name) const;
};

// Of /personalizer/v1.0/.., /personalizer/v1.1-preview.N/.. and /personalizer/..?api-version=..;
// nothing for any other.
std::optional<Path> parse_path(std::string_view target);
// Nothing when a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace phe::serve
