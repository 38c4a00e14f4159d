#include "support/on_threads.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace phe {
namespace {

TEST(OnThreads, CallsTheWorkOncePerThreadAndWaitsForAll) {
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    std::atomic<unsigned> calls = 0;
    std::mutex guard;
    std::set<std::thread::id> ids;
    on_threads(threads, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      const std::lock_guard lock(guard);
      ids.insert(std::this_thread::get_id());
      ++calls;
    });
    EXPECT_EQ(calls, std::max(threads, 1U));
    EXPECT_EQ(ids.size(), std::max(threads, 1U));
    EXPECT_TRUE(ids.contains(std::this_thread::get_id()));
  }
}

}  // namespace
}  // namespace phe
