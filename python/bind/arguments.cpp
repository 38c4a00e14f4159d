#include "arguments.hpp"

#include <cmath>
#include <cstring>

#include "support/memory.hpp"

namespace phe::python {

namespace {

using Doubles = py::array_t<double, py::array::c_style>;

bool is_plain_array(py::handle value) {
  return reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())) ==
         reinterpret_cast<PyObject*>(py::detail::npy_api::get().PyArray_Type_);
}

bool is_aligned(const py::array& array) {
  return reinterpret_cast<std::uintptr_t>(array.data()) % alignof(double) == 0;
}

bool is_masked(py::handle value) {
  return py::isinstance(value, py::module_::import("numpy.ma").attr("MaskedArray"));
}

// Any array of Python's, refused when it does not hold numbers of the kinds named.
py::array any_array(py::handle value, const char* name, const char* kinds, const char* what) {
  if (is_masked(value)) refuse_type("{} must not be a masked array: fill it first", name);
  py::array array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    refuse_type("{} must be an array of {}, got {}", name, what, shown(value));
  }
  const char* const allowed = array.size() > 0 ? kinds : "biuf";  // what [] becomes
  if (std::strchr(allowed, array.dtype().kind()) == nullptr)
    refuse_type("{} must hold {}, got dtype {}", name, what, std::string(py::str(array.dtype())));
  unwrap(check_memory(fmt::format("{}: {} numbers", name, array.size()),
                      static_cast<double>(array.size()) * sizeof(double)));
  return array;
}

template <class T>
py::array converted(const py::array& array, const char* name) {
  auto same = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!same)
    refuse_type("{} cannot be read, of dtype {}", name, std::string(py::str(array.dtype())));
  return is_aligned(same) ? py::array(same) : py::array(same.attr("copy")());
}

py::array contiguous(py::handle value, const char* name) {
  if (is_plain_array(value) && Doubles::check_(value)) {
    auto array = py::reinterpret_borrow<py::array>(value);
    if (is_aligned(array)) return array;
  }
  return converted<double>(any_array(value, name, "biuf", "real numbers"), name);
}

}  // namespace

std::string shown(py::handle value) {
  constexpr std::size_t longest = 80;
  PyObject* const repr = PyObject_Repr(value.ptr());
  if (repr == nullptr) {
    PyErr_Clear();
    return fmt::format("<{}>", Py_TYPE(value.ptr())->tp_name);
  }
  std::string text = py::str(py::reinterpret_steal<py::object>(repr));
  if (text.size() > longest) text = text.substr(0, longest) + "..";
  return text;
}

double real(py::handle value, const char* name) {
  if (PyFloat_CheckExact(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1.0 || PyErr_Occurred() == nullptr) return number;
  const bool wrong_type = PyErr_ExceptionMatches(PyExc_TypeError) != 0;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  if (!wrong_type && !too_large) throw py::error_already_set();
  PyErr_Clear();
  if (wrong_type) refuse_type("{} must be a number, got {}", name, shown(value));
  refuse("{} must be a number that a double can hold, got {}", name, shown(value));
}

bool flag(py::handle value, const char* name) {
  if (!PyBool_Check(value.ptr()))
    refuse_type("{} must be True or False, got {}", name, shown(value));
  return value.ptr() == Py_True;
}

std::string text(py::handle value, const char* name) {
  if (!PyUnicode_Check(value.ptr())) refuse_type("{} must be a text, got {}", name, shown(value));
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (bytes == nullptr) {  // half of a surrogate pair, say
    PyErr_Clear();
    refuse("{} must be a text of whole characters, got {}", name, shown(value));
  }
  return {bytes, static_cast<std::size_t>(size)};
}

std::uint64_t count(py::handle value, const char* name, std::uint64_t low, std::uint64_t high) {
  PyObject* const index = PyNumber_Index(value.ptr());
  if (index == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    refuse_type("{} must be a whole number, got {}", name, shown(value));
  }
  const auto owner = py::reinterpret_steal<py::object>(index);
  const std::uint64_t number = PyLong_AsUnsignedLongLong(index);
  const bool failed = PyErr_Occurred() != nullptr;  // negative, or over 64 bits
  if (failed) PyErr_Clear();
  if (failed || number < low || number > high)
    refuse("{} must be a whole number from {} to {}, got {}", name, low, high, shown(value));
  return number;
}

RewardRange reward_range(py::handle value, const char* name) {
  if (!PySequence_Check(value.ptr()) || PySequence_Size(value.ptr()) != 2) {
    PyErr_Clear();
    refuse_type("{} must be a pair (lowest, highest), got {}", name, shown(value));
  }
  const auto pair = py::reinterpret_borrow<py::sequence>(value);
  const RewardRange range{real(pair[0], name), real(pair[1], name)};
  if (!(range.low < range.high) || !std::isfinite(range.high - range.low))
    refuse("{} must be a finite pair (lowest, highest), got {}", name, shown(value));
  return range;
}

Numbers::Numbers(py::handle value, const char* name)
    : array_(contiguous(value, name)),
      name_(name),
      values_(static_cast<const double*>(array_.data()), static_cast<std::size_t>(array_.size())) {}

std::string Numbers::shape_text() const { return py::str(array_.attr("shape")); }

void Numbers::require(std::size_t dimensions, const std::string& shape) const {
  if (this->dimensions() == dimensions) return;
  refuse("{} must have the shape {}, got {}", name_, shape, shape_text());
}

std::vector<std::uint64_t> counts(py::handle value, const char* name) {
  const py::array array = any_array(value, name, "biu", "whole numbers");
  if (array.ndim() != 1)
    refuse("{} must have one dimension, got the shape {}", name,
           std::string(py::str(array.attr("shape"))));
  const bool is_unsigned = array.dtype().kind() == 'u';
  const py::array same =
      is_unsigned ? converted<std::uint64_t>(array, name) : converted<std::int64_t>(array, name);
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(same.size()));
  if (!numbers.empty())
    std::memcpy(numbers.data(), same.data(), numbers.size() * sizeof numbers[0]);
  if (!is_unsigned)
    for (const std::uint64_t number : numbers)
      if (const auto read = static_cast<std::int64_t>(number); read < 0)
        refuse("{} must hold whole numbers, 0 or more, got {}", name, read);
  return numbers;
}

py::array_t<double> to_array(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array_t<double> to_matrix(const Arms& arms) {
  py::array_t<double> matrix({arms.size(), arms.dimension()});
  auto rows = matrix.mutable_unchecked<2>();
  for (std::size_t arm = 0; arm < arms.size(); ++arm)
    for (std::size_t j = 0; j < arms.dimension(); ++j)
      rows(static_cast<py::ssize_t>(arm), static_cast<py::ssize_t>(j)) =
          arms.at(static_cast<ArmId>(arm), j);
  return matrix;
}

Arms to_arms(const Numbers& rows, const char* name) {
  rows.require(2, "(K, d)");
  const std::size_t d = rows.shape(1);
  auto arms = Arms::generate(rows.shape(0), d, [&](std::size_t arm, std::size_t feature) {
    return rows.values()[arm * d + feature];
  });
  if (!arms) refuse("{}: {}", name, arms.error().message);
  return std::move(arms).value();
}

}  // namespace phe::python
