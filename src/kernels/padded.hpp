// Short loops over vectors padded to a multiple of 8 entries. Inlined and not dispatched: a call
// would take longer than the loop.
#pragma once

#include <cstddef>

namespace phe::kernels {

// y += scale * x.
inline void add_scaled(const double* __restrict x, double scale, std::size_t stride,
                       double* __restrict y) noexcept {
  for (std::size_t i = 0; i < stride; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) y[i + lane] += scale * x[i + lane];
}

// y = scale * x.
inline void copy_scaled(const double* __restrict x, double scale, std::size_t stride,
                        double* __restrict y) noexcept {
  for (std::size_t i = 0; i < stride; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) y[i + lane] = scale * x[i + lane];
}

}  // namespace phe::kernels
