// Activity: what an application did since it was opened, in all and in steps of ten seconds of the
// last day. For metrics and the page; the log itself is the truth.
//
// Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "serve/event_store.hpp"

namespace phe::serve {

// The page and the metrics see time in these steps.
inline constexpr std::int64_t step_length = 10 * second;
inline constexpr std::int64_t steps_kept = day / step_length;

constexpr std::int64_t step_of(std::int64_t time) noexcept { return time / step_length; }

class Activity {
 public:
  static constexpr std::size_t fates = 4;
  struct Counts {
    std::uint64_t decisions = 0;  // ranks that were answered, repeated ones too
    std::uint64_t rewards = 0;    // reward calls that were answered
  };
  struct Totals : Counts {
    std::array<std::uint64_t, fates> rewards_by_fate{};
  };

  explicit Activity() : steps_(steps_kept) {}

  void decided(std::int64_t now) {
    const std::lock_guard lock(mutex_);
    refused_at_ = never;
    ++at(now).decisions;
    ++totals_.decisions;
  }
  void rewarded(Fate fate, std::int64_t now) {
    const std::lock_guard lock(mutex_);
    refused_at_ = never;
    ++at(now).rewards;
    ++totals_.rewards;
    ++totals_.rewards_by_fate[static_cast<std::size_t>(fate)];
  }

  // A call could not be stored.
  void refused(std::int64_t now) {
    const std::lock_guard lock(mutex_);
    refused_at_ = now;
  }
  // Whether the last call could not be stored, and that was lately: who is asked nothing because it
  // fails would else fail for ever.
  [[nodiscard]] bool refusing(std::int64_t now) const {
    const std::lock_guard lock(mutex_);
    return refused_at_ != never && now - refused_at_ < minute / 2;
  }

  [[nodiscard]] Totals totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
  }
  // Of the steps from <= step < to, of which the ring has the last day.
  [[nodiscard]] Counts between(std::int64_t from, std::int64_t to) const {
    const std::lock_guard lock(mutex_);
    Counts sum;
    for (std::int64_t step = from; step < to; ++step) {
      const Step& kept = steps_[static_cast<std::size_t>(step % steps_kept)];
      if (kept.number != step) continue;
      sum.decisions += kept.decisions;
      sum.rewards += kept.rewards;
    }
    return sum;
  }

 private:
  struct Step : Counts {
    std::int64_t number = -1;
  };

  Step& at(std::int64_t now) {
    const std::int64_t number = step_of(now);
    Step& step = steps_[static_cast<std::size_t>(number % steps_kept)];
    if (step.number != number) step = {{}, number};
    return step;
  }

  static constexpr std::int64_t never = -1;

  mutable std::mutex mutex_;
  std::int64_t refused_at_ = never;
  std::vector<Step> steps_;
  Totals totals_;
};

}  // namespace phe::serve
