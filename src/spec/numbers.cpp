#include "spec/numbers.hpp"

#include <cmath>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

bool within(CountRange range, std::uint64_t value) {
  return value >= range.low && value <= range.high;
}

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
  if (const auto count = parse_number<std::uint64_t>(text)) return count;
  // With an exponent, up to where doubles hold every whole number.
  if (text.find_first_of("eE") == std::string_view::npos) return std::nullopt;
  const auto real = parse_number<double>(text);
  if (!real || !(*real >= 0 && *real <= 0x1p53) || *real != std::floor(*real)) return std::nullopt;
  return static_cast<std::uint64_t>(*real);
}

Error out_of_range(std::string_view name, CountRange range, std::string_view text) {
  return invalid("{} must be a whole number from {} to {}, got '{}'", name, range.low, range.high,
                 text);
}

Result<std::uint64_t> count_in(std::string_view name, CountRange range, std::string_view text) {
  const auto value = parse_count(text);
  if (!value || !within(range, *value)) return out_of_range(name, range, text);
  return *value;
}

Result<void> check_count(std::string_view name, CountRange range, std::uint64_t value) {
  if (within(range, value)) return {};
  return out_of_range(name, range, fmt::format("{}", value));
}

}  // namespace phe
