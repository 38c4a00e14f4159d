// What phe --version says.
#pragma once

#include <string>

namespace phe::app {

// The version; the commit and the compiler that it was built from and by; what this machine runs.
std::string version_text();

}  // namespace phe::app
