// CRC-32 (IEEE 802.3, the one of zip and png): finds damaged text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace phe {

namespace detail {

constexpr std::array<std::uint32_t, 256> crc32_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xedb88320U : 0U);
    table[byte] = value;
  }
  return table;
}

}  // namespace detail

constexpr std::uint32_t crc32(std::string_view text) noexcept {
  constexpr auto table = detail::crc32_table();
  std::uint32_t value = 0xffffffffU;
  for (const char c : text)
    value = (value >> 8) ^ table[(value ^ static_cast<unsigned char>(c)) & 0xffU];
  return ~value;
}

}  // namespace phe
