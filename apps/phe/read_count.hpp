// Whole numbers of flags that may be left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "spec/numbers.hpp"

namespace phe::app {

// Sets `into` if the flag was given. An error names the flag, its range and what was typed.
inline Result<void> read_count(const char* flag, CountRange range,
                               const std::optional<std::string>& text, std::uint64_t& into) {
  if (!text) return {};
  const auto value = count_in(flag, range, *text);
  if (!value) return value.error();
  into = value.value();
  return {};
}

}  // namespace phe::app
