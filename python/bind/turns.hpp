// Who may work when: the lock of Python, and the lock of the thing worked on.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

#include <pybind11/pybind11.h>

namespace phe::python {

// work(), alone. `quick` work keeps the lock of Python when nobody else is at work here. The other
// way round would let threads wait for each other: whoever waits for `mutex` holds nothing.
template <class Work>
auto in_turn(std::mutex& mutex, bool quick, Work work) {
  if (quick && mutex.try_lock()) {
    const std::lock_guard lock(mutex, std::adopt_lock);
    return work();
  }
  const pybind11::gil_scoped_release free;
  const std::lock_guard lock(mutex);
  return work();
}

// Raises what a signal's handler raised. Call it with no lock of our own: the handler may be a
// function that uses the very thing worked on.
inline void check_signals() {
  const pybind11::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

// step(i) for i = 0 .. count - 1, alone for some milliseconds at a time.
template <class Step>
void in_turns(std::mutex& mutex, std::size_t count, Step step) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t steps_a_look = 64;  // at the clock
  const pybind11::gil_scoped_release free;
  for (std::size_t i = 0; i < count;) {
    {
      const std::lock_guard lock(mutex);
      const auto end = Clock::now() + std::chrono::milliseconds(20);
      do step(i);
      while (++i < count && (i % steps_a_look != 0 || Clock::now() < end));
    }
    if (i < count) check_signals();
  }
}

}  // namespace phe::python
