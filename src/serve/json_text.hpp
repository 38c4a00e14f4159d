// JSON written by hand, where answers must be quick.
#pragma once

#include <string>
#include <string_view>

namespace phe::serve {

// Appends `text`, which must be UTF-8, as a JSON string.
void append_json(std::string_view text, std::string& to);

}  // namespace phe::serve
