#include "spec/numbers.hpp"

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

Error out_of_range(std::string_view name, CountRange range, std::string_view text) {
  return invalid("{} must be a whole number from {} to {}, got '{}'", name, range.low, range.high,
                 text);
}

Result<std::uint64_t> count_in(std::string_view name, CountRange range, std::string_view text) {
  const auto value = parse_number<std::uint64_t>(text);
  if (!value || *value < range.low || *value > range.high) return out_of_range(name, range, text);
  return *value;
}

}  // namespace phe
