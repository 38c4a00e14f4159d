// Writing runs.log: a line at a time, each in one write(2), so that a process killed at any moment
// loses at most the run in flight.
#pragma once

#include <filesystem>
#include <string_view>

#include "phe/result.hpp"
#include "support/unique_fd.hpp"

namespace phe {

// Not thread-safe. One writer a file at a time; ResultsFolder sees to that with a lock.
class JournalWriter {
 public:
  // Appends to the file, which is made if missing.
  static Result<JournalWriter> open(const std::filesystem::path& file);

  // After a failure (a full disk, say) the file holds the lines appended before, and no part of
  // this one if that can be helped.
  Result<void> append(std::string_view line);
  // Returns when the lines are on the disk itself.
  Result<void> sync();

 private:
  JournalWriter(UniqueFd fd, std::filesystem::path file)
      : fd_(std::move(fd)), file_(std::move(file)) {}

  UniqueFd fd_;
  std::filesystem::path file_;
};

}  // namespace phe
