// Progress of a long command, on standard error: one line rewritten on a terminal, a plain line
// about every tenth when piped.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace phe::app {

class Progress {
 public:
  enum class Style { none, line, plain };

  // The style that suits standard error.
  static Style style_for(bool quiet);

  // `before` of `total` runs were there already, and do not count in the estimate.
  Progress(Style style, std::size_t before, std::size_t total);

  void step();
  // Clears the line.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::string text(double elapsed) const;
  void show_line(Clock::time_point now);
  void show_plain(Clock::time_point now);

  Style style_;
  std::size_t before_;
  std::size_t total_;
  std::size_t done_;
  std::size_t shown_tenths_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_;
};

// "4.2 s", "42 s", "3 min 05 s", "2 h 07 min".
std::string duration_text(double seconds);

}  // namespace phe::app
