// Office: one thread for work that takes a while, so that nobody who ranks waits behind it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace phe::serve {

class Office {
 public:
  explicit Office(std::size_t most_waiting)
      : most_waiting_(most_waiting), thread_([this] { run(); }) {}
  // Finishes what was accepted.
  ~Office() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  // False when too much waits: it will not be done.
  bool submit(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() >= most_waiting_) return false;
      waiting_.push_back(std::move(work));
    }
    wake_.notify_one();
    return true;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const auto work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace phe::serve
