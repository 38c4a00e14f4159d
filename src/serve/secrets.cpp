#include "serve/secrets.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "phe/rng.hpp"

namespace phe::serve {

namespace {

template <std::size_t N>
std::array<unsigned char, N> random_bytes() {
  std::array<unsigned char, N> bytes{};
  if (RAND_bytes(bytes.data(), N) == 1) return bytes;
  std::fputs("phe-serve: the system has no randomness\n", stderr);
  std::abort();
}

}  // namespace

std::string random_key(std::size_t bytes) {
  std::string digits;
  for (std::size_t i = 0; i < bytes; ++i) digits += fmt::format("{:02x}", random_bytes<1>()[0]);
  return digits;
}

// Ids need to be unlike each other, not secret: a seed that nobody knows, then a fast generator.
std::string random_uuid() {
  thread_local SplitMix words = [] {
    std::uint64_t seed = 0;
    for (const unsigned char byte : random_bytes<8>()) seed = seed << 8 | byte;
    return SplitMix(StreamKey(seed));
  }();
  const std::uint64_t a = words();
  const std::uint64_t b = words();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     0x8000 | (b >> 48 & 0x3fff), b & 0xffffffffffff);
}

std::string keyed_digest(std::string_view secret, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

bool same_secret(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace phe::serve
