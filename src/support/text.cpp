#include "support/text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <unistd.h>

#include "support/error.hpp"

namespace phe {

Result<std::string> read_file(const std::filesystem::path& file) {
  std::error_code unknown;  // then opening the file says why
  if (std::filesystem::is_directory(file, unknown))
    return invalid("{}: is a folder", file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) return invalid("{}: {}", file.string(), std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return invalid("{}: cannot be read", file.string());
  return text;
}

Result<void> write_file(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path temporary = file.string() + ".tmp";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return invalid("{}: {}", temporary.string(), std::strerror(errno));
  int failure = 0;
  for (std::string_view left = text; failure == 0 && !left.empty();) {
    const ssize_t written = ::write(fd, left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      failure = errno;
  }
  if (failure == 0 && ::fsync(fd) != 0) failure = errno;
  if (::close(fd) != 0 && failure == 0) failure = errno;
  if (failure == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) failure = errno;
  if (failure == 0) return {};
  ::unlink(temporary.c_str());
  return invalid("{}: {}", file.string(), std::strerror(failure));
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view without_bom(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace phe
