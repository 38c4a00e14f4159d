// Calls from the simulator into Python, from threads that Python does not know.
//
// What Python raises is kept, and the first of it is raised again by whoever started the
// simulation; to the simulator it is an error value like any other.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "arguments.hpp"

namespace phe::python {

// An object that is shared by threads without the lock of Python, and let go with it.
class SharedObject {
 public:
  explicit SharedObject(py::object object)
      : object_(new py::object(std::move(object)), [](py::object* held) {
          const py::gil_scoped_acquire lock;
          delete held;
        }) {}

  [[nodiscard]] const py::object& get() const noexcept { return *object_; }

 private:
  std::shared_ptr<py::object> object_;
};

// The first exception of a simulation.
class Raised {
 public:
  void keep(const py::error_already_set& error) {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = error;
  }
  void raise_if_any() {
    const std::lock_guard lock(mutex_);
    if (first_) throw py::error_already_set(*first_);
  }

 private:
  std::mutex mutex_;
  std::optional<py::error_already_set> first_;
};

// Keeps a thread known to Python as long as it lives: to make it known anew for every call would
// cost more than the call.
class KnownThread {
 public:
  KnownThread() : state_(PyGILState_Ensure()), released_(PyEval_SaveThread()) {}
  KnownThread(const KnownThread&) = delete;
  KnownThread& operator=(const KnownThread&) = delete;
  ~KnownThread() {
    PyEval_RestoreThread(released_);
    PyGILState_Release(state_);
  }

 private:
  PyGILState_STATE state_;
  PyThreadState* released_;
};

// call() with the lock of Python; an error value where it raises.
template <class Call>
auto in_python(Raised& raised, const char* what, Call call) -> Result<decltype(call())> {
  const py::gil_scoped_acquire lock;
  try {
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      return {};
    } else {
      return call();
    }
  } catch (const py::error_already_set& error) {
    raised.keep(error);
    return invalid("{}: {}", what, error.what());
  } catch (const std::exception& error) {  // what it returned is not what it should be
    return invalid("{}: {}", what, error.what());
  }
}

}  // namespace phe::python
