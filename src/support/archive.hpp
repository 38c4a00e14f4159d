// Archive: the bytes of a state, written or read by one and the same list of its parts.
//
//   void Thing::persist(Archive& archive) {
//     archive.same(dimension_, "features");  // must be what it was
//     archive(count_);
//     archive(values_);
//   }
//
// Numbers are little-endian, vectors have their length before them. The first part that cannot be
// read is remembered, and nothing is read after it; check ok() at the end. A thing that was half
// read is of no use: read into a copy.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/error.hpp"

namespace phe {

static_assert(std::endian::native == std::endian::little);

class Archive {
 public:
  Archive() = default;  // writes
  explicit Archive(std::string_view bytes) : input_(bytes), reading_(true) {}

  [[nodiscard]] bool reading() const noexcept { return reading_; }
  [[nodiscard]] bool ok() const noexcept { return error_.ok(); }
  [[nodiscard]] const Result<void>& error() const noexcept { return error_; }
  // What was written, or what is left to read.
  [[nodiscard]] const std::string& written() const noexcept { return output_; }
  [[nodiscard]] std::string_view left() const noexcept { return input_; }

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T& value) { bytes(&value, sizeof value); }
  void operator()(bool& value) {
    auto byte = static_cast<std::uint8_t>(value);
    (*this)(byte);
    require(byte <= 1, "a flag that is neither 0 nor 1");
    value = byte == 1;
  }
  template <class T, class Allocator>
  void operator()(std::vector<T, Allocator>& values) {
    std::uint64_t count = values.size();
    (*this)(count);
    if (reading_) {
      require(count <= input_.size() / sizeof(T), "more numbers than there are bytes");
      if (!ok()) return;
      values.resize(count);
    }
    bytes(values.data(), count * sizeof(T));
  }
  void operator()(std::string& text) {
    std::vector<char> characters(text.begin(), text.end());
    (*this)(characters);
    text.assign(characters.begin(), characters.end());
  }
  // For a vector whose length is settled when its owner is made.
  template <class T, class Allocator>
  void fixed(std::vector<T, Allocator>& values) {
    const std::size_t count = values.size();
    (*this)(values);
    require(values.size() == count, "a vector of another length");
    values.resize(count);
  }

  // For what must be equal in the state and in whoever reads it.
  template <class T>
  void same(const T& value, std::string_view what) {
    T read = value;
    (*this)(read);
    if (ok() && read != value)
      error_ = invalid("it has {} = {}, this policy {}", what, shown(read), shown(value));
  }
  void require(bool holds, std::string_view otherwise) {
    if (!holds && ok()) error_ = invalid("damaged: {}", otherwise);
  }

 private:
  template <class T>
  static auto shown(const T& value) {
    if constexpr (std::is_enum_v<T>)
      return static_cast<int>(value);
    else
      return value;
  }

  void bytes(void* data, std::size_t size) {
    if (!reading_) {
      output_.append(static_cast<const char*>(data), size);
      return;
    }
    require(size <= input_.size(), "it ends too early");
    if (!ok() || size == 0) return;
    std::memcpy(data, input_.data(), size);
    input_.remove_prefix(size);
  }

  std::string output_;
  std::string_view input_;
  bool reading_ = false;
  Result<void> error_;
};

}  // namespace phe
