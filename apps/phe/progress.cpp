#include "progress.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "output.hpp"

namespace phe::app {

namespace {

constexpr std::chrono::milliseconds redraw_after{100};

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

Progress::Style Progress::style_for(bool quiet) {
  if (quiet) return Style::none;
  return ::isatty(STDERR_FILENO) != 0 ? Style::line : Style::plain;
}

Progress::Progress(Style style, Workload work)
    : style_(style),
      work_(std::move(work)),
      shown_tenths_(10 * work_.done() / work_.total()),
      shown_(start_ - redraw_after) {}

void Progress::step(const Workload::Kind& kind, double seconds) {
  work_.did(kind, seconds);
  const auto now = Clock::now();
  if (style_ == Style::line) show_line(now);
  if (style_ == Style::plain) show_plain(now);
}

std::string Progress::text(double elapsed) const {
  const std::size_t done = work_.done();
  const std::size_t total = work_.total();
  const std::string left = duration_text(elapsed * work_.left_per_done());
  return fmt::format("{} of {} runs, {} %, {}{}", done, total, 100 * done / total,
                     duration_text(elapsed),
                     done == total ? "" : fmt::format(", about {} left", left));
}

void Progress::show_line(Clock::time_point now) {
  if (now - shown_ < redraw_after && work_.done() < work_.total()) return;
  shown_ = now;
  say(fmt::format("\r\x1b[K{}", text(seconds_between(start_, now))));
  std::fflush(stderr);
}

void Progress::show_plain(Clock::time_point now) {
  const std::size_t tenths = 10 * work_.done() / work_.total();
  if (tenths == shown_tenths_) return;
  shown_tenths_ = tenths;
  say(fmt::format("{}\n", text(seconds_between(start_, now))));
}

void Progress::end() {
  if (style_ == Style::line) say("\r\x1b[K");
}

}  // namespace phe::app
