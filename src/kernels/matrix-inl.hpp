// Products and outer updates of small matrices, for the kernels of matrix.hpp and root.hpp.

#if defined(PHE_KERNELS_MATRIX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef PHE_KERNELS_MATRIX_INL_HPP
#undef PHE_KERNELS_MATRIX_INL_HPP
#else
#define PHE_KERNELS_MATRIX_INL_HPP
#endif

#include "kernels/lanes-inl.hpp"
#include "kernels/matrix.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// work(block, i) for the rows of a column from i on, in blocks of 24, 16 or 8 of them: as many as
// have their sums in registers, so that each column is visited once at d <= 24.
template <std::size_t rows>
struct RowBlock {
  static constexpr std::size_t registers = rows / width;
};

template <class Work>
HWY_INLINE void for_row_blocks(std::size_t stride, Work work) {
  std::size_t i = 0;
  for (; i + 3 * lanes <= stride; i += 3 * lanes) work(RowBlock<3 * lanes>(), i);
  if (i + 2 * lanes == stride) {
    work(RowBlock<2 * lanes>(), i);
  } else if (i < stride) {
    work(RowBlock<lanes>(), i);
  }
}

struct AsItIs {
  HWY_INLINE Real operator()(Real entry) const { return entry; }
};
struct Absolute {
  HWY_INLINE Real operator()(Real entry) const { return hn::Abs(entry); }
};

// y = A x, where x(j) gives entry j of x, and `of` what counts of an entry of A.
template <class Entry, class Of = AsItIs>
HWY_INLINE void product_with(const MatrixView& a, Entry x, double* y, Of of = {}) {
  for_row_blocks(a.stride, [&](auto block, std::size_t i) HWY_ATTR {
    Real sum[block.registers];
    for (Real& part : sum) part = hn::Zero(real_tag);
    const double* column = a.data + i;
    std::size_t j = 0;
    do {  // a loop of no turns would keep the sums in memory
      const Real factor = hn::Set(real_tag, x(j));
      for (std::size_t v = 0; v < block.registers; ++v)
        sum[v] = hn::Add(sum[v], hn::Mul(factor, of(hn::LoadU(real_tag, column + v * width))));
      column += a.stride;
    } while (++j < a.columns);
    for (std::size_t v = 0; v < block.registers; ++v)
      hn::StoreU(sum[v], real_tag, y + i + v * width);
  });
}

HWY_INLINE void product(const MatrixView& a, const double* x, double* y) {
  product_with(
      a, [x](std::size_t j) HWY_ATTR { return x[j]; }, y);
}

// A = operation(A, u v^T), entry by entry.
template <class Operation>
HWY_INLINE void update_outer(const MatrixView& a, const double* u, const double* v,
                             Operation operation) {
  const std::size_t columns = a.columns;  // copies, which no store can change
  const std::size_t stride = a.stride;
  for_row_blocks(stride, [&](auto block, std::size_t i) HWY_ATTR {
    Real rows[block.registers];
    for (std::size_t r = 0; r < block.registers; ++r)
      rows[r] = hn::LoadU(real_tag, u + i + r * width);
    double* column = a.data + i;
    for (std::size_t j = 0; j < columns; ++j, column += stride) {
      const Real factor = hn::Set(real_tag, v[j]);
      for (std::size_t r = 0; r < block.registers; ++r)
        hn::StoreU(operation(hn::LoadU(real_tag, column + r * width), hn::Mul(factor, rows[r])),
                   real_tag, column + r * width);
    }
  });
}

HWY_INLINE double dot_product(const double* x, const double* y, std::size_t stride) {
  Real sum[vectors];
  for (Real& part : sum) part = hn::Zero(real_tag);
  for (std::size_t i = 0; i < stride; i += lanes)
    for (std::size_t v = 0; v < vectors; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(hn::LoadU(real_tag, x + i + v * width),
                                       hn::LoadU(real_tag, y + i + v * width)));
  return sum_lanes(sum);
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
