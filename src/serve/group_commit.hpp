// GroupCommit: one thread that writes an event store. Whatever waits when it comes round is one
// transaction, so a disk that syncs 100 times a second still takes thousands of events.
//
// Thread-safe. Everything that was accepted is written and answered before the destructor returns.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "phe/result.hpp"
#include "serve/event_store.hpp"

namespace phe::serve {

class GroupCommit {
 public:
  struct Job {
    // Within a transaction; may be called again in another one, if the first was rolled back.
    std::function<Result<void>(EventStore&)> write;
    // Called once, when what was written is as durable as promised, or was not written.
    std::function<void(const Result<void>&)> done;
  };

  // Calls `tick` in a transaction about so often (milliseconds), and `committed` after each.
  GroupCommit(EventStore& store, std::size_t most_waiting, std::int64_t tick_every,
              std::function<Result<void>(EventStore&)> tick, std::function<void()> committed);
  ~GroupCommit();

  // False when as many wait as may: the job is left as it was.
  bool submit(Job&& job);
  // Writes and waits. Not counted among those that wait.
  Result<void> write_now(std::function<Result<void>(EventStore&)> write);

  [[nodiscard]] bool failing() const noexcept { return failing_; }

 private:
  void run();
  void write(std::vector<Job>& batch, bool tick);
  Result<void> attempt(std::span<Job> jobs, bool tick);

  EventStore& store_;
  const std::size_t most_waiting_;
  const std::int64_t tick_every_;
  std::function<Result<void>(EventStore&)> tick_;
  std::function<void()> committed_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Job> waiting_;
  bool stopping_ = false;
  std::atomic<bool> failing_ = false;
  std::thread thread_;
};

}  // namespace phe::serve
