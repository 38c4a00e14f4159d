#include "support/paths.hpp"

namespace phe::test {

std::string in_source_tree(const std::string& file) { return PHE_SOURCE_DIR + file; }

const char* program() noexcept { return PHE_PROGRAM; }

}  // namespace phe::test
