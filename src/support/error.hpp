// invalid(..): an Error whose message is formatted. Name the parameter, the value and what is
// allowed; no full stop, no newline.
#pragma once

#include <utility>

#include <fmt/format.h>

#include "phe/result.hpp"

namespace phe {

template <class... Args>
[[nodiscard]] Error invalid(fmt::format_string<Args...> format, Args&&... args) {
  return Error{fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace phe
