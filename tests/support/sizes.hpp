// How much a test may spend: sanitizers slow code down several times, so samples shrink there.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PHE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PHE_SANITIZED
#endif
#endif

namespace phe::test {

#ifdef PHE_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// `full` draws, or a twentieth of them (at least `least`) under a sanitizer.
constexpr std::size_t draws(std::size_t full, std::size_t least = 1) {
  const std::size_t reduced = full / 20 > least ? full / 20 : least;
  return sanitized ? reduced : full;
}

}  // namespace phe::test
