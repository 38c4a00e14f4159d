#include "version_text.hpp"

#include <fmt/format.h>

#include "commit.hpp"
#include <phe/simd.hpp>
#include <phe/version.hpp>

namespace phe::app {

namespace {

std::string compiler() {
#ifdef __clang__
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

std::string version_text() {
  const std::string made =
      commit.empty() ? "built by " : fmt::format("commit {}, built by ", commit);
  return fmt::format("phe {}\n{}{}\nSIMD targets here: {}", version, made, compiler(),
                     fmt::join(simd_targets(), ", "));
}

}  // namespace phe::app
