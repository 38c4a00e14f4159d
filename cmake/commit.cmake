# Run at every build: writes the commit of SOURCE into the header OUT, which is touched only when it
# changes. Empty outside of a repository, as in an archive of a release.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[
// Made by the build.
#pragma once

#include <string_view>

namespace phe::app {

inline constexpr std::string_view commit = "@commit@";

}  // namespace phe::app
]] @ONLY)
