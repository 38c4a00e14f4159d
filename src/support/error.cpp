#include "support/error.hpp"

#include <algorithm>

namespace phe {

namespace {

bool is_control(char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; }

}  // namespace

std::string one_line(std::string text) {
  if (std::ranges::none_of(text, is_control)) return text;
  std::string shown;
  for (const char c : text) {
    if (is_control(c))
      shown += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else
      shown += c;
  }
  return shown;
}

}  // namespace phe
