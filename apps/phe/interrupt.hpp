// Ctrl-C: the first asks for an orderly end, the second ends the program at once.
#pragma once

namespace phe::app {

// Catches SIGINT and SIGTERM from now on. Also makes a file-size limit an error of write(2) instead
// of the end of the program.
void catch_interrupts();
bool interrupted() noexcept;
// What a signal then says, wherever standard error goes; without it a note appears on terminals.
// The text must live as long as the program.
void set_interrupt_note(const char* text);

}  // namespace phe::app
