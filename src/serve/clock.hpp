// The time of the service: milliseconds since 1970 that never run backwards, whatever is done to
// the system's clock while the program runs. It is read once, when the program starts.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace phe::serve {

class Clock {
 public:
  Clock() : Clock(wall()) {}
  explicit Clock(std::int64_t start) : start_(start) {}

  [[nodiscard]] std::int64_t now() const noexcept {
    const auto since = std::chrono::steady_clock::now() - began_;
    return start_ + std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  }
  // The log has seen this time: what comes now is not before it.
  void not_before(std::int64_t time) noexcept {
    const std::int64_t behind = time - now();
    if (behind > 0) start_ += behind;
  }
  // For tests.
  void advance(std::int64_t milliseconds) noexcept { start_ += milliseconds; }

  static std::int64_t wall() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> start_;
};

}  // namespace phe::serve
