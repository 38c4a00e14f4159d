#include "kernels/flip_sums.hpp"

#include <bit>

namespace phe::kernels {

void add_flip_sums(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
                   std::uint64_t flips, Rng& rng, double* ahead) noexcept {
  for (std::size_t l = 0; l < count; ++l)
    for (std::uint64_t f = 0; f < flips; ++f) {
      const std::uint64_t word = rng();
      for (std::size_t r = 0; r < flip_rounds; ++r)
        if ((word >> r & 1) != 0)
          for (std::size_t j = 0; j < dimension; ++j) ahead[r * stride + j] += x[l * stride + j];
    }
}

}  // namespace phe::kernels
