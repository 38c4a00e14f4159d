// SHA-256 (FIPS 180-4): names a content. The digest is the one that sha256sum prints.
#pragma once

#include <string>
#include <string_view>

namespace phe {

// 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace phe
