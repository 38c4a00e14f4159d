#include "serve/follower.hpp"

#include <algorithm>
#include <chrono>

#include "serve/secrets.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

constexpr int entries_at_a_time = 512;
constexpr std::int64_t patience = 200 * millisecond;  // with a stream that says nothing

}  // namespace

Follower::Follower(RedisOptions options, std::string application, OwnLog own, StoreHealth& health,
                   Clock& clock)
    : options_(std::move(options)),
      application_(std::move(application)),
      node_(random_uuid()),
      own_(std::move(own)),
      health_(health),
      clock_(clock) {}

void Follower::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Follower::start(Changed changed) {
  changed_ = std::move(changed);
  thread_ = std::thread([this] { run(); });
}

Result<void> Follower::catch_up(const RedisLog::Documents& first) {
  auto fold = Fold::after(*own_.reader);
  if (!fold) return fold.error();
  fold_ = fold.value();
  if (auto done = connect(&first); !done) {
    lose(done.error());
    const auto origin = own_.reader->get("origin");
    if (!origin) return origin.error();
    return origin.value() ? Result<void>() : done;
  }
  for (;;) {
    const auto count = step(0);
    if (!count) return lose(count.error()), Result<void>();
    if (count.value() < entries_at_a_time) return {};
  }
}

// A log of another origin, or none where there was one, is not this node's: it keeps away from it.
Result<void> Follower::check_origin(const RedisLog::Documents* first) {
  const auto mine = own_.reader->get("origin");
  if (!mine) return mine.error();
  auto there = log_->origin();
  if (!there) return there.error();
  if (there->empty() && !mine.value() && first != nullptr) {
    const auto origin =
        std::ranges::find(*first, "origin", &std::pair<std::string, std::string>::first);
    there = log_->begin(origin->second, *first);
    if (!there) return there.error();
  }
  if (mine.value() && *mine.value() != there.value())
    return invalid("{} {}", options_.address.text(),
                   there->empty() ? "has lost the log that this node follows"
                                  : "holds another log than this node's folder");
  return {};
}

Result<void> Follower::connect(const RedisLog::Documents* first) {
  auto log = RedisLog::connect(options_, application_);
  if (!log) return log.error();
  log_.emplace(std::move(log).value());
  if (auto done = check_origin(first); !done) return done;
  health_.set_risks(log_->risks());
  const auto continues = log_->continues(fold_.position());
  if (!continues) return continues.error();
  // Entries were trimmed before this node saw them, or Redis lost some that it had seen.
  if (!continues.value())
    if (auto done = restore(); !done) return done;
  again_.succeeded();
  reached();
  health_.set_following(true);
  return {};
}

Result<void> Follower::restore() {
  const auto snapshot = log_->snapshot();
  if (!snapshot) return snapshot.error();
  const std::string bytes = snapshot.value() ? snapshot.value()->bytes : std::string();
  const std::int64_t models = done_ + 1;
  const auto write = [&](EventStore&) {
    begun_ = models;
    return own_.store.restore(bytes);
  };
  if (auto done = own_.commit.write_now(write); !done) return done;
  auto fold = Fold::after(*own_.reader);
  if (!fold) return fold.error();
  fold_ = fold.value();
  done_ = models;
  changed_();
  return {};
}

void Follower::lose(const Error& why) {
  log_.reset();
  again_.failed(std::chrono::steady_clock::now());
  health_.set_following(false, why.message);
}

void Follower::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (!log_) wake_.wait_until(lock, again_.next(), [&] { return stopping_; });
      if (stopping_) return;
    }
    if (!log_) {
      if (auto done = connect(nullptr); !done) {
        lose(done.error());
        continue;
      }
    }
    if (const auto count = step(patience); !count)
      lose(count.error());
    else if (auto done = maybe_snapshot(); !done)
      lose(done.error());
  }
}

Result<std::size_t> Follower::step(std::int64_t wait) {
  const auto entries = log_->read_after(fold_.position(), entries_at_a_time, wait);
  if (!entries) return entries.error();
  if (!entries->empty())
    if (auto done = fold(entries.value()); !done) return done.error();
  folded(entries.value());
  return entries->size();
}

Result<void> Follower::fold(const std::vector<Entry>& entries) {
  Fold next;
  const auto write = [&](EventStore&) -> Result<void> {
    next = fold_;
    for (const Entry& entry : entries)
      if (auto done = next.apply(entry, own_.store); !done) return done;
    begun_ = done_ + next.models() - fold_.models();
    return next.finish(own_.store);
  };
  if (auto done = own_.commit.write_now(write); !done) return done;
  const bool changed =
      next.models() != fold_.models() || next.configurations() != fold_.configurations();
  fold_ = next;
  done_ = begun_.load();
  if (changed) changed_();
  return {};
}

void Follower::folded(const std::vector<Entry>& entries) {
  const std::int64_t now = clock_.now();
  if (!entries.empty()) {
    health_.folded += static_cast<std::int64_t>(entries.size());
    health_.ahead = std::max(health_.ahead.load(), fold_.position().time - now);
    reached();
  }
  const bool behind = entries.size() == entries_at_a_time;
  health_.lag = behind ? std::max(now + health_.ahead - fold_.position().time, std::int64_t{1}) : 0;
}

void Follower::reached() {
  health_.set_position(to_text(fold_.position()));
  {
    const std::lock_guard lock(mutex_);
    position_ = fold_.position();
  }
  wake_.notify_all();
}

bool Follower::wait_for(StreamId place, std::int64_t milliseconds) {
  std::unique_lock lock(mutex_);
  return wake_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                        [&] { return position_ >= place || stopping_; });
}

Result<void> Follower::maybe_snapshot() {
  const std::int64_t now = clock_.now();
  if (now - snapshot_asked_ < std::min(options_.snapshot_every / 4, second)) return {};
  snapshot_asked_ = now;
  if (fold_.position() == snapshot_) return {};
  const auto due = log_->snapshot_is_due(node_, options_.snapshot_every);
  if (!due) return due.error();
  if (!due.value()) return {};
  auto bytes = own_.reader->snapshot();
  if (!bytes) return bytes.error();
  StreamId from{fold_.position().time - options_.keep, 0};
  const auto forgotten = own_.reader->get("forgotten");
  if (!forgotten) return forgotten.error();
  if (forgotten.value()) {
    const auto id = parse_stream_id(*forgotten.value());
    if (!id) return id.error();
    from = std::max(from, id.value());
  }
  from.time = std::max(from.time, std::int64_t{0});
  snapshot_ = fold_.position();
  return log_->install({snapshot_, std::move(bytes).value()}, from);
}

}  // namespace phe::serve
