// phe --version: what a report of a bug needs.
#include <fmt/format.h>

#include "commands.hpp"
#include "commit.hpp"
#include <phe/simd.hpp>
#include <phe/version.hpp>

namespace phe::app {

namespace {

#ifdef __clang__
constexpr const char* compiler = "Clang " __clang_version__;
#else
constexpr const char* compiler = "GCC " __VERSION__;
#endif

}  // namespace

std::string version_text() {
  return fmt::format("phe {} ({}{}{}, {})", version, commit, commit.empty() ? "" : ", ", compiler,
                     simd_targets().front());
}

}  // namespace phe::app
