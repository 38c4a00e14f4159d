#include "target.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  phe::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
