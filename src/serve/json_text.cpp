#include "serve/json_text.hpp"

#include <iterator>

#include <fmt/format.h>

namespace phe::serve {

void append_json(std::string_view text, std::string& to) {
  to += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      to += '\\';
      to += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(to), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      to += c;
    }
  }
  to += '"';
}

}  // namespace phe::serve
