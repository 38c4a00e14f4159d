#include "record/journal_writer.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>

#include "support/error.hpp"

namespace phe {

namespace {

Error cannot_write(const std::filesystem::path& file, int reason) {
  return invalid("{}: cannot be written: {}", file.string(), std::strerror(reason));
}

}  // namespace

Result<JournalWriter> JournalWriter::open(const std::filesystem::path& file) {
  UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd) return cannot_write(file, errno);
  return JournalWriter(std::move(fd), file);
}

Result<void> JournalWriter::append(std::string_view line) {
  struct stat before {};
  if (::fstat(fd_.get(), &before) != 0) return cannot_write(file_, errno);
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(fd_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int reason = written < 0 ? errno : ENOSPC;
      // A part of the line may be in the file; if it stays, the reader drops it.
      [[maybe_unused]] const int cut = ::ftruncate(fd_.get(), before.st_size);
      return cannot_write(file_, reason);
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> JournalWriter::sync() {
  if (::fsync(fd_.get()) != 0) return cannot_write(file_, errno);
  return {};
}

}  // namespace phe
