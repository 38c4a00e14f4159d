// A file that never touches the disk, for functions that take a path.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "support/unique_fd.hpp"
#include "target.hpp"

namespace phe::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    demand(::write(fd_.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()),
           "a memory file takes the whole text");
  }

  [[nodiscard]] std::filesystem::path path() const {
    return "/proc/self/fd/" + std::to_string(fd_.get());
  }

 private:
  UniqueFd fd_;
};

}  // namespace phe::fuzz
