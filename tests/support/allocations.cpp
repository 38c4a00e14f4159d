#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>

#include "support/sizes.hpp"

namespace {

std::atomic<std::size_t> count = 0;

}  // namespace

std::size_t phe::test::allocations() noexcept { return count; }

// Every way to memory on the heap, from `new` to Eigen's own, goes through malloc here. A sanitizer
// has its own malloc, and there nothing is counted.
#if !defined(PHE_SANITIZED) && defined(__GLIBC__)
extern "C" void* __libc_malloc(std::size_t size);

extern "C" void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
#endif
