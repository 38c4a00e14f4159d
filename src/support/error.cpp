#include "support/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace phe {

void detail::misused_result(const char* what, const std::string& message) noexcept {
  std::fprintf(stderr, "phe: %s%s%s\n", what, message.empty() ? "" : ": ", message.c_str());
  std::abort();
}

std::string one_line(std::string text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  std::ranges::replace_if(text, is_control, '?');
  return text;
}

}  // namespace phe
