// Result<T>: a value, or the reason why there is none.
//
// Everything that can fail on a user's input returns one; the message names the parameter, the
// value and what is allowed. Nothing in the library throws for bad input.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace phe {

struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  template <std::convertible_to<T> Value>
  Result(Value value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  // Precondition of the next five: ok().
  [[nodiscard]] T& value() & noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] T&& value() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return &value(); }
  const T* operator->() const noexcept { return &value(); }

  // Precondition: !ok().
  [[nodiscard]] const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

// One pointer, null when all is well: a round that reports success costs nothing.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}
  Result(const Result& other)
      : error_(other.error_ ? std::make_unique<Error>(*other.error_) : nullptr) {}
  Result(Result&&) noexcept = default;
  Result& operator=(Result other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~Result() = default;

  [[nodiscard]] bool ok() const noexcept { return error_ == nullptr; }
  explicit operator bool() const noexcept { return ok(); }
  // Precondition: !ok().
  [[nodiscard]] const Error& error() const noexcept { return *error_; }

 private:
  std::unique_ptr<Error> error_;
};

}  // namespace phe
