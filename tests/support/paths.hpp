// Where the source tree and the program under test are. Compiled into one file alone, so that the
// others do not depend on where the tree lies.
#pragma once

#include <string>

namespace phe::test {

// `file` of the source tree: "/tests/logs/data/small.csv".
std::string in_source_tree(const std::string& file);
// The program, phe.
const char* program() noexcept;

}  // namespace phe::test
