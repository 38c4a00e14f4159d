#include "support/memory.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

#include "support/error.hpp"

namespace phe {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t of_the_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return unlimited;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

// A control group's file holds a number, or "max".
std::uint64_t of_the_group(const char* file) {
  std::uint64_t bytes = unlimited;
  return std::ifstream(file) >> bytes ? bytes : unlimited;
}

std::uint64_t of_the_process() {
  rlimit limit{};
  const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? limit.rlim_cur : unlimited;
}

}  // namespace

std::uint64_t memory_limit() {
  static const std::uint64_t limit =
      std::min({of_the_machine(), of_the_group("/sys/fs/cgroup/memory.max"),
                of_the_group("/sys/fs/cgroup/memory/memory.limit_in_bytes"), of_the_process()});
  return limit;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 6> units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.1f} {}", bytes, units[unit]);
}

Result<void> check_memory(std::string_view what, double bytes, std::uint64_t limit) {
  const auto available = static_cast<double>(limit);
  if (bytes <= available) return {};
  return invalid("{} need about {} of memory, and there are {}", what, bytes_text(bytes),
                 bytes_text(available));
}

}  // namespace phe
