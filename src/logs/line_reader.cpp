#include "logs/line_reader.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <zlib.h>

#include "support/error.hpp"

namespace phe::logs {

namespace {

constexpr std::size_t first_capacity = std::size_t{1} << 18;

gzFile as_gzip(void* gzip) { return static_cast<gzFile>(gzip); }

}  // namespace

void LineReader::CloseGzip::operator()(void* gzip) const noexcept { gzclose_r(as_gzip(gzip)); }

LineReader::LineReader(std::string file, void* gzip)
    : file_(std::move(file)), gzip_(gzip), buffer_(first_capacity + padding) {}

Result<LineReader> LineReader::open(const std::string& file) {
  std::error_code unknown;  // a name that is too long, say: told below
  if (std::filesystem::is_directory(file, unknown)) return invalid("{}: is a folder", file);
  errno = 0;
  // zlib gives plain files as they are.
  gzFile const gzip = gzopen(file.c_str(), "rb");
  if (gzip == nullptr) return invalid("{}: {}", file, std::strerror(errno == 0 ? ENOMEM : errno));
  gzbuffer(gzip, 1U << 17);
  return LineReader(file, gzip);
}

Result<void> LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size() - padding) {
    if (end_ >= longest_line)
      return invalid("{}: line {} is longer than {} bytes", file_, line_number_ + 1, longest_line);
    buffer_.resize(2 * end_ + padding);
  }
  const auto room = static_cast<unsigned>(buffer_.size() - padding - end_);
  const int got = gzread(as_gzip(gzip_.get()), buffer_.data() + end_, room);
  int code = Z_OK;
  const char* const what = gzerror(as_gzip(gzip_.get()), &code);
  // A compressed file that was cut off is an end with Z_BUF_ERROR.
  if (got < 0 || (got == 0 && code != Z_OK && code != Z_STREAM_END))
    return invalid("{}: cannot be read after line {}: {}", file_, line_number_,
                   code == Z_ERRNO ? std::strerror(errno) : what);
  end_ += static_cast<std::size_t>(got);
  at_end_ = got == 0;
  return {};
}

std::string_view LineReader::take(std::size_t length, std::size_t with_break) noexcept {
  std::string_view line(buffer_.data() + begin_, length);
  begin_ += with_break;
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Result<std::optional<std::string_view>> LineReader::next() {
  std::size_t searched = 0;
  for (;;) {
    const char* const from = buffer_.data() + begin_ + searched;
    const std::size_t left = end_ - begin_ - searched;
    if (const void* const found = left == 0 ? nullptr : std::memchr(from, '\n', left)) {
      const auto length =
          static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) - begin_;
      return std::optional(take(length, length + 1));
    }
    searched += left;
    if (at_end_) {
      if (searched == 0) return std::optional<std::string_view>();
      return std::optional(take(searched, searched));
    }
    if (auto done = refill(); !done) return done.error();
  }
}

}  // namespace phe::logs
