// LineReader: the lines of a file, plain or gzip, one after the other, in constant memory.
//
// A line is a view into the reader's buffer, valid until the next one is read. At least
// `padding` readable bytes stand behind it, as a SIMD parser of the line needs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"

namespace phe::logs {

class LineReader {
 public:
  static constexpr std::size_t padding = 64;
  static constexpr std::size_t longest_line = std::size_t{1} << 28;

  static Result<LineReader> open(const std::string& file);

  // The next line without its line break (LF or CRLF); nothing at the end. An error when the file
  // cannot be read, or is compressed and damaged or cut off.
  Result<std::optional<std::string_view>> next();

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  // Of the line that was read last, from 1.
  [[nodiscard]] std::uint64_t line_number() const noexcept { return line_number_; }

 private:
  struct CloseGzip {
    void operator()(void* gzip) const noexcept;
  };

  LineReader(std::string file, void* gzip);
  // Moves what is left to the front of the buffer and reads more behind it.
  Result<void> refill();
  std::string_view take(std::size_t length, std::size_t with_break) noexcept;

  std::string file_;
  std::unique_ptr<void, CloseGzip> gzip_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was not given out yet
  std::size_t end_ = 0;    // of what was read
  bool at_end_ = false;    // of the file
  std::uint64_t line_number_ = 0;
};

}  // namespace phe::logs
