#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <string_view>

#include <unistd.h>

namespace phe::app {

namespace {

std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);

std::string_view note;

extern "C" void on_signal(int) {
  asked_to_stop = true;
  if (::write(STDERR_FILENO, note.data(), note.size()) < 0) return;
}

}  // namespace

void catch_interrupts() {
  if (note.empty() && ::isatty(STDERR_FILENO) != 0)
    note = "\nstopping after the runs in flight; again to stop at once\n";
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

void set_interrupt_note(const char* text) { note = text; }

bool interrupted() noexcept { return asked_to_stop; }

}  // namespace phe::app
