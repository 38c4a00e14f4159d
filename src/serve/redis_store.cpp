#include "serve/redis_store.hpp"

#include "support/error.hpp"

namespace phe::serve {

namespace {

constexpr int drained_at_a_time = 2'000;

std::vector<const Message*> pointers(auto& all) {
  std::vector<const Message*> messages;
  for (auto& one : all) messages.push_back(&one.message);
  return messages;
}

}  // namespace

RedisStore::RedisStore(RedisOptions options, std::string application, std::unique_ptr<Spool> spool,
                       std::unique_ptr<EventReader> own, StoreHealth& health, Clock& clock)
    : options_(std::move(options)),
      application_(std::move(application)),
      spool_(std::move(spool)),
      own_(std::move(own)),
      health_(health),
      clock_(clock) {
  health_.buffered = spool_->size();
}

StreamId RedisStore::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

Result<void> RedisStore::push(Message message, std::string* answer) {
  pending_.push_back({std::move(message), answer});
  return {};
}

Result<Fate> RedisStore::add(const NewEvent& event, std::string& answer) {
  if (spool_->size() > 0) {
    auto waiting = spool_->answer(event.id);
    if (!waiting) return waiting.error();
    if (waiting.value()) {
      answer = *std::move(waiting).value();
      return Fate::repeated;
    }
  }
  answer = event.answer;
  static_cast<void>(push(rank_message(event), &answer));
  return Fate::done;
}

Result<Fate> RedisStore::reward(std::string_view event, double value, std::string_view call,
                                std::int64_t, const RewardRules&) {
  static_cast<void>(push(reward_message(event, value, call)));
  return Fate::done;
}

Result<Fate> RedisStore::activate(std::string_view event, std::int64_t, const RewardRules&) {
  static_cast<void>(push(activate_message(event)));
  return Fate::done;
}

Result<void> RedisStore::remove(std::string_view key) {
  return push({.kind = "remove", .subject = std::string(key)});
}

// The one that follows looks for Redis, and sees whether it still holds the same log; here it is
// only used when it was found, so that no rank waits for a connection that does not come.
bool RedisStore::connected() {
  if (!health_.following()) log_.reset();
  if (log_) return true;
  const auto now = std::chrono::steady_clock::now();
  return health_.following() && again_.due(now) && connect();
}

bool RedisStore::connect() {
  auto log = RedisLog::connect(options_, application_);
  if (!log) {
    lose(log.error());
    return false;
  }
  log_.emplace(std::move(log).value());
  health_.set_sending(true);
  return true;
}

void RedisStore::lose(const Error& why) {
  log_.reset();
  again_.failed(std::chrono::steady_clock::now());
  health_.set_sending(false, why.message);
}

Result<void> RedisStore::commit() {
  if (pending_.empty()) return {};
  if (connected()) {
    const auto begin = std::chrono::steady_clock::now();
    auto sent = send(pending_);
    // It may have been the connection alone, left over from before Redis was started again. Not
    // when it was a silence: nobody is to wait for a second one.
    if (!sent && std::chrono::steady_clock::now() - begin <
                     std::chrono::milliseconds(options_.timeout / 2)) {
      lose(sent.error());
      if (connect()) sent = send(pending_);
    }
    if (sent) return pending_.clear(), sent;
    lose(sent.error());
  }
  auto kept = keep(pending_);
  if (kept) pending_.clear();
  return kept;
}

Result<void> RedisStore::send(std::span<Pending> pending) {
  const auto last = log_->append(pointers(pending), [&](std::size_t i, std::string_view answer) {
    if (pending[i].answer != nullptr) *pending[i].answer = answer;
  });
  if (!last) return last.error();
  again_.succeeded();
  if (last.value()) {
    const std::lock_guard lock(mutex_);
    written_ = *last.value();
  }
  return {};
}

Result<void> RedisStore::keep(std::span<Pending> pending) {
  // What is refused in company is tried again on its own, and counts then.
  const std::int64_t refusals = pending.size() == 1 ? 1 : 0;
  std::vector<const Message*> messages;
  for (Pending& one : pending) {
    const std::string& kind = one.message.kind;
    const bool reaction = kind == "reward" || kind == "activate";
    if (kind != "rank" && !(reaction && options_.buffer_rewards)) {
      health_.refused += refusals;
      return invalid("{} is away: {}", options_.address.text(), health_.state().problem);
    }
    if (kind == "rank") {
      auto before = own_->answer(one.message.subject);
      if (!before) return before.error();
      if (before.value()) {
        if (one.answer != nullptr) *one.answer = *std::move(before).value();
        continue;
      }
    }
    messages.push_back(&one.message);
  }
  if (spool_->size() + static_cast<std::int64_t>(messages.size()) > options_.most_buffered) {
    health_.refused += refusals;
    return invalid("{} is away and {} calls wait for it, as many as may", options_.address.text(),
                   spool_->size());
  }
  auto done = spool_->add(messages);
  health_.buffered = spool_->size();
  return done;
}

Result<void> RedisStore::drain() {
  auto waiting = spool_->oldest(drained_at_a_time);
  if (!waiting) return waiting.error();
  if (waiting->empty()) return {};
  const auto sent = log_->append(pointers(waiting.value()), [](std::size_t, std::string_view) {});
  if (!sent) return lose(sent.error()), Result<void>();
  auto done = spool_->remove_up_to(waiting->back().number);
  health_.buffered = spool_->size();
  return done;
}

Result<void> RedisStore::tell_time(std::int64_t now) {
  const auto next = own_->next_close();
  if (!next) return next.error();
  if (!next.value()) return {};
  // The clocks may differ by more than is known: ask now and then.
  if (now + health_.ahead < *next.value() && now - asked_at_ < second) return {};
  asked_at_ = now;
  if (const auto done = log_->tick(*next.value()); !done) lose(done.error());
  return {};
}

Result<int> RedisStore::settle(std::int64_t now, const RewardRules&, int) {
  if (!connected()) return 0;
  if (spool_->size() > 0)
    if (auto done = drain(); !done) return done.error();
  if (!log_) return 0;
  if (auto done = tell_time(now); !done) return done.error();
  return 0;
}

}  // namespace phe::serve
