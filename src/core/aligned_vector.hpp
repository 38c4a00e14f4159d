// AlignedVector: doubles that begin on a cache line, for vectors and columns padded to whole lines.
//
// No 8 of them then straddle two lines; where the heap happened to put them was worth up to 3% of a
// round.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace phe {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, line); }

  friend bool operator==(CacheLineAllocator, CacheLineAllocator) noexcept { return true; }
};

using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

}  // namespace phe
