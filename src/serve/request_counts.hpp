// RequestCounts: how many requests were answered how, and how long they took. Thread-safe, and
// counting is a few relaxed additions: nobody waits.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

namespace phe::serve {

enum class Operation { rank, reward, activate, other };
inline constexpr std::array<std::string_view, 4> operation_names{"rank", "reward", "activate",
                                                                 "other"};

class RequestCounts {
 public:
  // Upper ends of the histogram's buckets, in microseconds; there is one more, without an end.
  static constexpr std::array<std::int64_t, 12> bounds{
      250, 500, 1'000, 2'500, 5'000, 10'000, 25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000};
  static constexpr std::size_t statuses = 600;

  struct Durations {
    std::array<std::uint64_t, bounds.size() + 1> buckets{};  // each by itself
    std::uint64_t microseconds = 0;                          // of all
  };

  void observe(Operation operation, int status, std::int64_t microseconds) noexcept {
    Counts& counts = counts_[static_cast<std::size_t>(operation)];
    add(counts.by_status[static_cast<std::size_t>(status) % statuses], 1);
    std::size_t bucket = 0;
    while (bucket < bounds.size() && microseconds > bounds[bucket]) ++bucket;
    add(counts.buckets[bucket], 1);
    add(counts.microseconds, static_cast<std::uint64_t>(microseconds));
  }

  [[nodiscard]] std::uint64_t answered(Operation operation, int status) const noexcept {
    return counts_[static_cast<std::size_t>(operation)]
        .by_status[static_cast<std::size_t>(status)]
        .load(std::memory_order_relaxed);
  }
  [[nodiscard]] Durations durations(Operation operation) const noexcept {
    const Counts& counts = counts_[static_cast<std::size_t>(operation)];
    Durations result;
    for (std::size_t i = 0; i < result.buckets.size(); ++i)
      result.buckets[i] = counts.buckets[i].load(std::memory_order_relaxed);
    result.microseconds = counts.microseconds.load(std::memory_order_relaxed);
    return result;
  }

 private:
  using Count = std::atomic<std::uint64_t>;
  struct alignas(64) Counts {
    std::array<Count, bounds.size() + 1> buckets{};
    Count microseconds = 0;
    std::array<Count, statuses> by_status{};
  };
  static void add(Count& count, std::uint64_t n) noexcept {
    count.fetch_add(n, std::memory_order_relaxed);
  }

  std::array<Counts, operation_names.size()> counts_;
};

}  // namespace phe::serve
