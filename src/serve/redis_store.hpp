// RedisStore: the store that nodes share, as the calls of one node write it. A transaction is one
// pipeline: commit returns when Redis has answered for all of it. What a reward does to an event is
// not decided here but by whoever folds the stream (fold.hpp), on every node alike.
//
// While Redis is away, ranks go to the spool on this node's disk, and rewards too where the options
// say so; else they are refused. The spool is sent when Redis is back. What was sent and not
// answered is sent again: an event id, and the id of a reward's call, count once.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "serve/back_off.hpp"
#include "serve/clock.hpp"
#include "serve/redis_log.hpp"
#include "serve/spool.hpp"
#include "serve/store_health.hpp"

namespace phe::serve {

class RedisStore final : public EventStore {
 public:
  // `own` reads this node's log, from the thread that writes.
  RedisStore(RedisOptions options, std::string application, std::unique_ptr<Spool> spool,
             std::unique_ptr<EventReader> own, StoreHealth& health, Clock& clock);

  Result<void> begin() override { return {}; }
  Result<void> commit() override;
  void rollback() noexcept override { pending_.clear(); }

  Result<Fate> add(const NewEvent& event, std::string& answer) override;
  // `call` must not be empty: it is what a repetition is known by.
  Result<Fate> reward(std::string_view event, double value, std::string_view call, std::int64_t now,
                      const RewardRules& rules) override;
  Result<Fate> activate(std::string_view event, std::int64_t now,
                        const RewardRules& rules) override;
  // Has the stream tell the time, where an event is due; the spool goes on.
  Result<int> settle(std::int64_t now, const RewardRules& rules, int most) override;
  // Entries are removed when a snapshot covers them (Follower).
  Result<int> retire(std::int64_t, int) override { return 0; }
  Result<void> forget_log() override { return push({.kind = "forget"}); }
  // For all nodes.
  Result<void> put_model(const StoredModel& model) override { return push(model_message(model)); }
  Result<void> put(std::string_view key, std::string_view value) override {
    return push(put_message(key, value));
  }
  Result<void> remove(std::string_view key) override;

  // The place of the last document, model or reaction that was written. Thread-safe.
  [[nodiscard]] StreamId written() const;

 private:
  struct Pending {
    Message message;
    std::string* answer = nullptr;  // of a rank
  };

  bool connected();
  bool connect();
  void lose(const Error& why);
  Result<void> push(Message message, std::string* answer = nullptr);
  Result<void> send(std::span<Pending> pending);
  Result<void> keep(std::span<Pending> pending);
  Result<void> drain();
  Result<void> tell_time(std::int64_t now);

  const RedisOptions options_;
  const std::string application_;
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<EventReader> own_;
  StoreHealth& health_;
  Clock& clock_;
  std::optional<RedisLog> log_;  // while there is a connection
  BackOff again_{50, 2'000};
  std::vector<Pending> pending_;
  std::int64_t asked_at_ = 0;

  mutable std::mutex mutex_;
  StreamId written_;
};

}  // namespace phe::serve
