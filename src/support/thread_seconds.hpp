// Processor time of this thread: what a piece of work costs, however busy the machine is.
#pragma once

#include <ctime>

namespace phe {

inline double thread_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace phe
