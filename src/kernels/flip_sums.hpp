#pragma once

#include <cstddef>
#include <cstdint>

#include "phe/rng.hpp"

namespace phe::kernels {

inline constexpr std::size_t flip_rounds = 64;
void add_flip_sums(const double* x, std::size_t count, std::size_t dimension, std::size_t stride,
                   std::uint64_t flips, Rng& rng, double* ahead) noexcept;

}  // namespace phe::kernels
