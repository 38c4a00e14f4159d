// What comes from Python, checked: a refusal names the argument, the value and what is allowed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "phe/policy.hpp"
#include "phe/result.hpp"
#include "support/error.hpp"

namespace phe::python {

namespace py = pybind11;

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw py::value_error(invalid(format, std::forward<Args>(args)...).message);
}
template <class... Args>
[[noreturn]] void refuse_type(fmt::format_string<Args...> format, Args&&... args) {
  throw py::type_error(invalid(format, std::forward<Args>(args)...).message);
}

template <class T>
T unwrap(Result<T> result) {
  if (!result) throw py::value_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

// The repr of a value, cut short, for messages.
std::string shown(py::handle value);

double real(py::handle value, const char* name);
bool flag(py::handle value, const char* name);
std::string text(py::handle value, const char* name);
std::uint64_t count(py::handle value, const char* name, std::uint64_t low = 0,
                    std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
RewardRange reward_range(py::handle value, const char* name);

// Real numbers of an array, row by row. A contiguous, aligned array of float64 is read where it is,
// and must not be written to by others meanwhile; anything else is converted once. Keeps the array
// alive.
class Numbers {
 public:
  Numbers(py::handle value, const char* name);

  // Refuses another number of dimensions, as "X must have the shape (K, 3), got (4,)".
  void require(std::size_t dimensions, const std::string& shape) const;

  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  [[nodiscard]] std::size_t dimensions() const noexcept {
    return static_cast<std::size_t>(array_.ndim());
  }
  [[nodiscard]] std::size_t shape(std::size_t axis) const {
    return static_cast<std::size_t>(array_.shape(static_cast<py::ssize_t>(axis)));
  }
  [[nodiscard]] std::string shape_text() const;

 private:
  py::array array_;
  const char* name_;
  std::span<const double> values_;
};

// Whole numbers, 0 or more, of a one-dimensional array.
std::vector<std::uint64_t> counts(py::handle value, const char* name);

// A new array with these values.
py::array_t<double> to_array(std::span<const double> values);
py::array_t<double> to_matrix(const Arms& arms);
// Precondition: rows.values() has rows.shape(0) * rows.shape(1) entries.
Arms to_arms(const Numbers& rows, const char* name);

}  // namespace phe::python
