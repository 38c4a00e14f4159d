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

namespace detail {
// A bug of the caller: a Result was not looked at before it was used. Says so and ends the program,
// in release too, where going on would read what is not there.
[[noreturn]] void misused_result(const char* what, const std::string& message) noexcept;
}  // namespace detail

template <class T>
class [[nodiscard]] Result {
 public:
  template <std::convertible_to<T> Value>
  Result(Value value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  // Precondition of the next five: ok(). It is checked, and the program ends when it does not hold.
  [[nodiscard]] T& value() & noexcept { return demand_value(), *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& noexcept {
    return demand_value(), *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && noexcept {
    return demand_value(), std::move(*std::get_if<0>(&state_));
  }
  T* operator->() noexcept { return &value(); }
  const T* operator->() const noexcept { return &value(); }

  // Precondition: !ok(), checked likewise.
  [[nodiscard]] const Error& error() const noexcept {
    if (ok()) detail::misused_result("error() of a Result that has a value", "");
    return *std::get_if<1>(&state_);
  }

 private:
  void demand_value() const noexcept {
    if (!ok()) detail::misused_result("value() of a Result that has none", error().message);
  }

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
  // Precondition: !ok(), checked as above.
  [[nodiscard]] const Error& error() const noexcept {
    if (ok()) detail::misused_result("error() of a Result that is good", "");
    return *error_;
  }

 private:
  std::unique_ptr<Error> error_;
};

}  // namespace phe
