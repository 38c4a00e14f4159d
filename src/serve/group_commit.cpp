#include "serve/group_commit.hpp"

#include <chrono>
#include <future>

namespace phe::serve {

namespace {

// A transaction writes half a dozen pages, however few events it has: so there are not more than so
// many of them. Who comes after a pause does not wait.
constexpr std::chrono::milliseconds between_writes(1);

}  // namespace

GroupCommit::GroupCommit(EventStore& store, std::size_t most_waiting, std::int64_t tick_every,
                         std::function<Result<void>(EventStore&)> tick,
                         std::function<void()> committed)
    : store_(store),
      most_waiting_(most_waiting),
      tick_every_(tick_every),
      tick_(std::move(tick)),
      committed_(std::move(committed)),
      thread_([this] { run(); }) {}

GroupCommit::~GroupCommit() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

bool GroupCommit::submit(Job&& job) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(job));
    if (waiting_.size() > 1) return true;  // the thread was told of the first
  }
  wake_.notify_one();
  return true;
}

Result<void> GroupCommit::write_now(std::function<Result<void>(EventStore&)> write) {
  std::promise<Result<void>> promise;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(
        {std::move(write), [&](const Result<void>& done) { promise.set_value(done); }});
  }
  wake_.notify_one();
  return promise.get_future().get();
}

void GroupCommit::run() {
  using Clock = std::chrono::steady_clock;
  const auto pause = std::chrono::milliseconds(tick_every_);
  auto next_tick = Clock::now() + pause;
  auto next_write = Clock::now();
  std::vector<Job> batch;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, next_tick, [&] { return stopping_ || !waiting_.empty(); });
      if (stopping_ && waiting_.empty()) return;
    }
    std::this_thread::sleep_until(next_write);
    {
      const std::lock_guard lock(mutex_);
      std::swap(batch, waiting_);
    }
    const auto now = Clock::now();
    next_write = now + between_writes;
    const bool tick = now >= next_tick;
    if (tick || !batch.empty()) write(batch, tick);
    batch.clear();
    if (tick) next_tick = Clock::now() + pause;
  }
}

Result<void> GroupCommit::attempt(std::span<Job> jobs, bool tick) {
  if (auto done = store_.begin(); !done) return done;
  for (Job& job : jobs)
    if (auto done = job.write(store_); !done) return store_.rollback(), done;
  if (tick)
    if (auto done = tick_(store_); !done) return store_.rollback(), done;
  auto done = store_.commit();
  if (!done) store_.rollback();
  return done;
}

void GroupCommit::write(std::vector<Job>& batch, bool tick) {
  Result<void> done = attempt(batch, tick);
  const bool together = done.ok();
  // Told before the answers are: who has an answer and then waits for learning waits for this too.
  if (together) committed_();
  for (Job& job : batch) {
    // One of them may be at fault: each on its own, so that it fails alone.
    if (!together && (done = attempt({&job, 1}, false))) committed_();
    job.done(done);
  }
  failing_ = !done;
}

}  // namespace phe::serve
