// BackOff: when to try again what has failed. Waits twice as long each time, up to a limit.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace phe::serve {

class BackOff {
 public:
  using Time = std::chrono::steady_clock::time_point;

  BackOff(std::int64_t first, std::int64_t longest) : first_(first), longest_(longest) {}

  [[nodiscard]] bool due(Time now) const noexcept { return now >= next_; }
  void failed(Time now) noexcept {
    wait_ = std::clamp(2 * wait_, first_, longest_);
    next_ = now + std::chrono::milliseconds(wait_);
  }
  void succeeded() noexcept {
    wait_ = 0;
    next_ = {};
  }
  [[nodiscard]] Time next() const noexcept { return next_; }

 private:
  std::int64_t first_, longest_, wait_ = 0;  // milliseconds
  Time next_ = {};
};

}  // namespace phe::serve
