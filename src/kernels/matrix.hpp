// Small dense kernels on column-major matrices whose columns are padded to a multiple of 8 rows.
// Vectors have `stride` entries, zero beyond d.
#pragma once

#include <cstddef>
#include <span>

namespace phe::kernels {

// Kernels take views by reference: a view that was just put together, copied 16 bytes at a time,
// waits for its 8-byte stores, and that was 10% of a round at d = 10.
struct MatrixView {
  double* data;
  std::size_t columns;  // at least 1
  std::size_t stride;   // rows, a multiple of 8

  [[nodiscard]] double* column(std::size_t j) const noexcept { return data + j * stride; }
};

// y = A x, summed over columns in order, and y = A (x + z).
void multiply(const MatrixView& a, const double* x, double* y) noexcept;
void multiply_sum(const MatrixView& a, const double* x, const double* z, double* y) noexcept;
// y = |A| x, with the absolute value of each entry of A; summed as in multiply.
void multiply_absolute(const MatrixView& a, const double* x, double* y) noexcept;
// A += v v^T (or A -= v v^T), which keeps A symmetric to the bit.
void add_outer(const MatrixView& a, const double* v) noexcept;
void subtract_outer(const MatrixView& a, const double* v) noexcept;
// sum_i x_i y_i over `stride` entries, in 8 lanes and one tree.
double dot(const double* x, const double* y, std::size_t stride) noexcept;
// The same for `count` vectors in turn, `stride` entries each, one behind the other, but only for
// the lower triangle of A in blocks of 8 rows: entries (i, j) with i >= j / 8 * 8. A third of the
// instructions at d = 20, because A is read and written once.
void add_outers(const MatrixView& a, const double* vectors, std::size_t count) noexcept;
// When w x x^T is added to G, G^-1 follows by Sherman-Morrison: with g = G^-1 x and
// c = 1 + w x^T g, G^-1 -= (g g^T) (w / c), which keeps it symmetric to the bit. Where rounding has
// made c less than 1, 1 stands in for it. Returns c and leaves g in `gain`.
double update_inverse(const MatrixView& inverse, const double* x, double weight,
                      double* gain) noexcept;

namespace scalar {
void multiply(const MatrixView& a, const double* x, double* y) noexcept;
void multiply_sum(const MatrixView& a, const double* x, const double* z, double* y) noexcept;
void multiply_absolute(const MatrixView& a, const double* x, double* y) noexcept;
void add_outer(const MatrixView& a, const double* v) noexcept;
void subtract_outer(const MatrixView& a, const double* v) noexcept;
double dot(const double* x, const double* y, std::size_t stride) noexcept;
void add_outers(const MatrixView& a, const double* vectors, std::size_t count) noexcept;
double update_inverse(const MatrixView& inverse, const double* x, double weight,
                      double* gain) noexcept;
}  // namespace scalar

}  // namespace phe::kernels
