// How many times this program has asked for memory so far, by `new` in any of its forms.
#pragma once

#include <cstddef>

namespace phe::test {

std::size_t allocations() noexcept;

}  // namespace phe::test
