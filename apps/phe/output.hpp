// What the program says, and the exit codes that go with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace phe::app {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_interrupted = 130;

// Writes to standard error. Where that is full or closed the program goes on: its results do not
// depend on who listens.
void say(const std::string& text);
// One line to standard error, `phe: ...`; control characters are shown as '?'.
void tell(std::string_view message);
// The same, and the exit code to return.
int bad_input(std::string_view message);
int failed(std::string_view message);

// "1 arm", "3 arms".
std::string counted(std::uint64_t count, std::string_view noun);
// `text` as a word of a command line that is shown: quoted where a shell would take it apart.
std::string shell_word(const std::string& text);

// The given exit code, or failure when standard output could not be written.
int flushed(int exit_code);

}  // namespace phe::app
