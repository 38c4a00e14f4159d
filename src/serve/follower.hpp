// Follower: a thread that reads the shared stream and folds it into this node's log, in the order
// of the stream. It finds Redis again when it was away, and now and then makes the snapshot that
// new nodes start from.
//
// What is acknowledged elsewhere reaches this log a moment later; wait_for tells when.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "serve/back_off.hpp"
#include "serve/clock.hpp"
#include "serve/fold.hpp"
#include "serve/group_commit.hpp"
#include "serve/redis_log.hpp"
#include "serve/store_health.hpp"

namespace phe::serve {

// This node's log: who writes it, and a reader of the follower's own, with write access.
struct OwnLog {
  Replica& store;
  GroupCommit& commit;
  std::unique_ptr<EventReader> reader;
};

class Follower {
 public:
  // Called, by the follower's thread, when another model or configuration is in this log.
  using Changed = std::function<void()>;

  Follower(RedisOptions options, std::string application, OwnLog own, StoreHealth& health,
           Clock& clock);
  ~Follower() { stop(); }

  // Connects, begins the log with these documents if it is new, and folds all there is. Without
  // Redis: an error, unless this node has followed before, and can go on from what it has.
  Result<void> catch_up(const RedisLog::Documents& first);
  // From now on in its own thread.
  void start(Changed changed);
  void stop();

  // Models that took the place of what was learnt, in this log. While one is being written, `begun`
  // is ahead of `done`.
  struct Models {
    std::int64_t begun = 0, done = 0;
  };
  [[nodiscard]] Models models() const noexcept { return {begun_, done_}; }

  // Whether this log has come to that place within so many milliseconds.
  bool wait_for(StreamId place, std::int64_t milliseconds);

 private:
  void run();
  Result<void> connect(const RedisLog::Documents* first);
  Result<void> check_origin(const RedisLog::Documents* first);
  Result<void> restore();
  // Reads some entries and folds them; how many.
  Result<std::size_t> step(std::int64_t wait);
  Result<void> fold(const std::vector<Entry>& entries);
  void folded(const std::vector<Entry>& entries);
  // Tells where this log is.
  void reached();
  Result<void> maybe_snapshot();
  void lose(const Error& why);

  const RedisOptions options_;
  const std::string application_, node_;
  OwnLog own_;
  StoreHealth& health_;
  Clock& clock_;
  Changed changed_ = [] {};

  std::optional<RedisLog> log_;
  Fold fold_;
  BackOff again_{50, 2'000};
  StreamId snapshot_;  // of the last one that this node made
  std::int64_t snapshot_asked_ = 0;
  std::atomic<std::int64_t> begun_ = 0, done_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  StreamId position_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace phe::serve
