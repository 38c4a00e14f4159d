// How a node stands with the store that it shares with others. Written by the thread that sends and
// the one that follows, read by anybody.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "serve/clock.hpp"

namespace phe::serve {

// To be shown. Without a shared store: as it is here.
struct StoreState {
  bool shared = false;
  bool connected = true;           // to Redis; while not, the node ranks with the model that it has
  bool buffers_rewards = false;    // while it is not connected; else they are refused
  std::int64_t since = 0;          // when that began, ms since 1970
  std::int64_t lag = 0;            // milliseconds that the model's log is behind the stream
  std::int64_t folded = 0;         // entries since the start
  std::int64_t buffered = 0;       // calls that wait on this node's disk for Redis
  std::int64_t refused = 0;        // calls, since the start, because Redis was away
  std::string position;            // the last entry folded
  std::string problem;             // why it is not connected
  std::vector<std::string> risks;  // settings of Redis that put acknowledged events at risk
};

class StoreHealth {
 public:
  // Whether the node follows the stream, and whether what it sends arrives.
  void set_following(bool yes, std::string problem = {}) {
    set(following_, yes, std::move(problem));
  }
  void set_sending(bool yes, std::string problem = {}) { set(sending_, yes, std::move(problem)); }
  [[nodiscard]] bool following() const noexcept { return following_; }
  [[nodiscard]] bool connected() const noexcept { return following_ && sending_; }

  void set_risks(std::vector<std::string> risks) {
    const std::lock_guard lock(mutex_);
    risks_ = std::move(risks);
  }
  void set_position(std::string position) {
    const std::lock_guard lock(mutex_);
    position_ = std::move(position);
  }

  std::atomic<std::int64_t> lag = 0, folded = 0, buffered = 0, refused = 0;
  // What the clock of the store is ahead of this node's, at least (ms).
  std::atomic<std::int64_t> ahead = 0;

  [[nodiscard]] StoreState state(bool buffers_rewards = false) const {
    const std::lock_guard lock(mutex_);
    return {.shared = true,
            .connected = connected(),
            .buffers_rewards = buffers_rewards,
            .since = since_,
            .lag = lag,
            .folded = folded,
            .buffered = buffered,
            .refused = refused,
            .position = position_,
            .problem = connected() ? std::string() : problem_,
            .risks = risks_};
  }

 private:
  void set(std::atomic<bool>& what, bool yes, std::string problem) {
    const std::lock_guard lock(mutex_);
    const bool before = connected();
    what = yes;
    if (before != connected()) since_ = Clock::wall();
    if (!yes) problem_ = std::move(problem);
  }

  mutable std::mutex mutex_;
  std::atomic<bool> following_ = false, sending_ = true;
  std::int64_t since_ = 0;
  std::string position_, problem_;
  std::vector<std::string> risks_;
};

}  // namespace phe::serve
