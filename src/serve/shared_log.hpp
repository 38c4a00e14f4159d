// SharedLog: how an application shares its log with other nodes, or the lack of it: what a call
// writes goes to Redis (RedisStore, through a GroupCommit of its own) and comes back, with what all
// other nodes wrote, into this node's log (Follower).
//
// Thread-safe.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "serve/follower.hpp"
#include "serve/redis_store.hpp"

namespace phe::serve {

class SharedLog {
 public:
  // When it returns, this node's log has all that the stream had; or what it had before, when Redis
  // is away.
  static Result<std::unique_ptr<SharedLog>> open(const RedisOptions& options,
                                                 const std::string& application,
                                                 const std::filesystem::path& file,
                                                 Durability durability, OwnLog own, Clock& clock,
                                                 const RedisLog::Documents& first);
  // Calls are taken, and the stream is followed. `changed`: see Follower.
  void start(std::size_t most_waiting, std::int64_t tick_every, Follower::Changed changed);

  // Sends what was accepted; then this node's log stays as it is.
  void stop();

  [[nodiscard]] GroupCommit& commit() noexcept { return *commit_; }
  // Writes, and waits until it is in this node's log too, or two seconds.
  Result<void> write_now(std::function<Result<void>(EventStore&)> write);
  // Whether rewards are refused now: true counts as one more.
  bool refuses_reward() noexcept;
  [[nodiscard]] Follower::Models models() const noexcept { return follower_->models(); }
  [[nodiscard]] StoreState state() const { return health_.state(options_.buffer_rewards); }

 private:
  SharedLog(const RedisOptions& options, Clock& clock) : options_(options), clock_(clock) {}

  const RedisOptions options_;
  Clock& clock_;
  StoreHealth health_;
  std::unique_ptr<Follower> follower_;
  std::unique_ptr<RedisStore> store_;
  std::unique_ptr<GroupCommit> commit_;
};

}  // namespace phe::serve
