// Progress of a long command, on standard error: one line rewritten on a terminal, a plain line
// about every tenth when piped.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "sim/workload.hpp"

namespace phe::app {

class Progress {
 public:
  enum class Style { none, line, plain };

  // The style that suits standard error.
  static Style style_for(bool quiet);

  // `work` says which runs are there already and which are to do.
  Progress(Style style, Workload work);

  // A run of that kind is done.
  void step(const Workload::Kind& kind, double seconds);
  // Clears the line.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::string text(double elapsed) const;
  void show_line(Clock::time_point now);
  void show_plain(Clock::time_point now);

  Style style_;
  Workload work_;
  std::size_t shown_tenths_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_;
};

// "4.2 s", "42 s", "3 min 05 s", "2 h 07 min".
std::string duration_text(double seconds);

}  // namespace phe::app
