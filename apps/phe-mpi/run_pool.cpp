#include "run_pool.hpp"

#include <exception>
#include <utility>

namespace phe::mpi {

namespace {

Result<RunResult> do_run(const Plan& plan, const RunId& id) try {
  return plan.run(id);
} catch (const std::exception& error) {  // std::bad_alloc, say
  return Error{error.what()};
}

}  // namespace

RunPool::RunPool(const Plan& plan, unsigned threads) : plan_(&plan) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

RunPool::~RunPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  work_came_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void RunPool::add(const std::vector<RunId>& ids) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), ids.begin(), ids.end());
  }
  work_came_.notify_all();
}

std::vector<Result<RunResult>> RunPool::take(std::chrono::microseconds wait) {
  std::unique_lock lock(mutex_);
  if (done_.empty()) result_came_.wait_for(lock, wait, [this] { return !done_.empty(); });
  return std::exchange(done_, {});
}

void RunPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_came_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const RunId id = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    auto result = do_run(*plan_, id);
    lock.lock();
    done_.push_back(std::move(result));
    result_came_.notify_one();
  }
}

}  // namespace phe::mpi
