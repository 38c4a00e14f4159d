// Threads of one rank that do runs while its main thread talks to the other ranks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <phe/result.hpp>
#include <phe/simulate.hpp>

namespace phe::mpi {

// The plan must outlive it. Its destructor waits for the runs that were begun; others are not done.
class RunPool {
 public:
  RunPool(const Plan& plan, unsigned threads);
  ~RunPool();
  RunPool(const RunPool&) = delete;
  RunPool& operator=(const RunPool&) = delete;

  void add(const std::vector<RunId>& ids);
  // What has come of runs since the last call; when there is nothing, waits for it that long.
  std::vector<Result<RunResult>> take(std::chrono::microseconds wait);

 private:
  void work();

  const Plan* plan_;
  std::mutex mutex_;
  std::condition_variable work_came_;
  std::condition_variable result_came_;
  std::deque<RunId> waiting_;
  std::vector<Result<RunResult>> done_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace phe::mpi
