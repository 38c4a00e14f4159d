// How many times this program has asked malloc for memory so far: by `new`, by Eigen, by anyone.
// Always 0 under a sanitizer.
#pragma once

#include <cstddef>

namespace phe::test {

std::size_t allocations() noexcept;

}  // namespace phe::test
