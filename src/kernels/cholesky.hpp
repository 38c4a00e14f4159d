// Cholesky factors of small symmetric matrices, without allocation, each entry's sums in one fixed
// order. Matrices are column-major with padded columns (matrix.hpp).
#pragma once

#include "kernels/matrix.hpp"

namespace phe::kernels {

// Overwrites the lower triangle of `a` with L, a = L L^T, and the rest with zeros. False when a
// pivot falls below 1e-14 of its diagonal entry: then `a` is not positive definite to working
// precision.
bool cholesky(const MatrixView& a) noexcept;

// l = the factor of `gram`; where that is singular to rounding, as if a ridge as large as its
// rounding were added. So a ridge plus a sum of squares has a factor as long as it is finite; false
// when it is not.
[[nodiscard]] bool cholesky_of_gram(const MatrixView& gram, const MatrixView& l) noexcept;

// x = (L L^T)^-1 b. The spans have l.stride entries, zero beyond d, and may be the same.
void cholesky_solve(const MatrixView& l, const double* b, double* x) noexcept;

// x = L^-T b: of covariance (L L^T)^-1 when b is standard normal. May be in place.
void solve_transposed(const MatrixView& l, const double* b, double* x) noexcept;

// inverse = (L L^T)^-1, symmetric to the bit; `l` is overwritten by L^-1.
void cholesky_invert(const MatrixView& l, const MatrixView& inverse) noexcept;

}  // namespace phe::kernels
