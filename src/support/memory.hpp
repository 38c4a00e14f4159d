// How much memory there is, and whether a request fits. Asked before allocating: the system hands
// out more than it has, and ends the program when the pages are used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phe/result.hpp"

namespace phe {

// Bytes that this process may use: the machine's memory, or less where its control group (a
// container) or `ulimit -v` says so. Looked up once.
std::uint64_t memory_limit();

// As "745.1 GiB".
std::string bytes_text(double bytes);

// An error when `what` (plural, as "arms: 10 arms of 2 features") needs more than `limit`. Names
// both sizes.
Result<void> check_memory(std::string_view what, double bytes,
                          std::uint64_t limit = memory_limit());

}  // namespace phe
