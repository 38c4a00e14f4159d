// Zeroed memory on a cache line, from the system's untouched pages: what is never written costs
// nothing.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace phe {

inline std::shared_ptr<double[]> zeroed_array(std::size_t count) {
  constexpr std::size_t alignment = 64;
  void* memory = std::calloc(count * sizeof(double) + alignment, 1);
  if (memory == nullptr) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  auto* aligned = reinterpret_cast<double*>((address + alignment - 1) / alignment * alignment);
  return {aligned, [memory](double*) { std::free(memory); }};
}

}  // namespace phe
