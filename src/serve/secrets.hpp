// Randomness that nobody can guess, and comparisons that tell nobody anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace phe::serve {

// `bytes` random bytes as hexadecimal digits.
std::string random_key(std::size_t bytes);
// A random UUID (version 4).
std::string random_uuid();
// HMAC-SHA-256, 32 bytes.
std::string keyed_digest(std::string_view secret, std::string_view text);
// In a time that depends on the lengths alone.
bool same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace phe::serve
