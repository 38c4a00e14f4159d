// invalid(..): an Error whose message is formatted. Name the parameter, the value and what is
// allowed; no full stop. What a user typed may be quoted as it is: the message stays one line.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "phe/result.hpp"

namespace phe {

// Line breaks and other control characters shown as '?', so that they reach no terminal.
std::string one_line(std::string text);

template <class... Args>
[[nodiscard]] Error invalid(fmt::format_string<Args...> format, Args&&... args) {
  return Error{one_line(fmt::format(format, std::forward<Args>(args)...))};
}

}  // namespace phe
