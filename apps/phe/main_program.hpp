// The program from its arguments to its exit code.
#pragma once

namespace phe::app {

// Exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted.
int run_program(int argc, char** argv);

}  // namespace phe::app
