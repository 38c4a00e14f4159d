// --help, the manual page and the completion, all of the same rows.
#pragma once

#include <string>

namespace phe::serve::app {

std::string help_text();
// `phe-serve generate man | bash`, for the build.
std::string man_page();
std::string bash_completion();

}  // namespace phe::serve::app
