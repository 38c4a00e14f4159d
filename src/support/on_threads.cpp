#include "support/on_threads.hpp"

#include <system_error>
#include <thread>
#include <vector>

namespace phe {

void on_threads(unsigned threads, const std::function<void()>& work) {
  std::vector<std::jthread> workers;
  try {
    while (workers.size() + 1 < threads) workers.emplace_back(work);
  } catch (const std::system_error&) {  // those that run do the work of the others
  }
  work();
}

}  // namespace phe
