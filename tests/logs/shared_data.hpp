// Real logs that are not part of the repository: in the folder PHE_DATA, or beside the sources.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/paths.hpp"

namespace phe::test {

inline std::filesystem::path shared_data() {
  if (const char* const folder = std::getenv("PHE_DATA")) return folder;
  return in_source_tree("/../shared/data");
}

}  // namespace phe::test

// Ends a test with a word where the data is not there.
#define PHE_SKIP_WITHOUT(path)        \
  if (!std::filesystem::exists(path)) \
  GTEST_SKIP() << (path).string() << " is not here; PHE_DATA names the folder of it"
