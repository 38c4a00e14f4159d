// Where a test ends the process, the last line says which: ctest runs many in one, and is told of
// failures alone.
#include <algorithm>
#include <array>
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/sizes.hpp"

namespace {

std::array<char, 400> line{};
std::size_t length = 0;

class Remember : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& info) override {
    const auto text =
        std::string("[  CRASHED ] ") + info.test_suite_name() + "." + info.name() + "\n";
    length = std::min(text.size(), line.size());
    std::copy_n(text.begin(), length, line.begin());
  }
};

void name_it(int signal) {
  // Nothing can be done where this cannot be written.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), length);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A sanitizer has a report of its own.
[[maybe_unused]] const bool installed = [] {
#ifndef PHE_SANITIZED
  testing::UnitTest::GetInstance()->listeners().Append(new Remember);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, name_it);
#endif
  return true;
}();

}  // namespace
