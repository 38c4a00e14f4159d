// Kernels on a matrix that is not symmetric: the square root of a covariance, and an ensemble's
// noise. Layout as in matrix.hpp.
#pragma once

#include "kernels/matrix.hpp"

namespace phe::kernels {

// y = A^T x, each entry summed over rows in 8 lanes and one tree; y has one entry a column.
void multiply_transposed(const MatrixView& a, const double* x, double* y) noexcept;
// A += u v^T; v has one entry a column.
void add_outer(const MatrixView& a, const double* u, const double* v) noexcept;

// S <- S (I - gamma s s^T) with s = S^T r, alpha = 1 + s^T s and gamma = 1 / (alpha + sqrt(alpha)),
// so that S S^T = G^-1 becomes (G + r r^T)^-1 (Potter 1963). Leaves s in `image`, uses `gain` as
// work space, and returns gamma.
double shrink_root(const MatrixView& root, const double* r, double* image, double* gain) noexcept;

namespace scalar {
void multiply_transposed(const MatrixView& a, const double* x, double* y) noexcept;
void add_outer(const MatrixView& a, const double* u, const double* v) noexcept;
double shrink_root(const MatrixView& root, const double* r, double* image, double* gain) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
