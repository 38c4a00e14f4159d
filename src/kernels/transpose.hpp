// Rows of features, as a caller hands them over, become columns that kernels score.
#pragma once

#include <cstddef>

namespace phe::kernels {

// columns[j * stride + k] = rows[k * dimension + j] for k < count, and 0 for k from there to the
// next multiple of 8. Returns whether every value is finite.
bool transpose_rows(const double* rows, std::size_t count, std::size_t dimension, double* columns,
                    std::size_t stride) noexcept;

namespace scalar {
bool transpose_rows(const double* rows, std::size_t count, std::size_t dimension, double* columns,
                    std::size_t stride) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
