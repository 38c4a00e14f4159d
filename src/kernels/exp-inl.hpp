// exp in SIMD registers, to the bit that of elementary.hpp; once per target.

// Highway's per-target include guard.
#if defined(PHE_KERNELS_EXP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef PHE_KERNELS_EXP_INL_HPP
#undef PHE_KERNELS_EXP_INL_HPP
#else
#define PHE_KERNELS_EXP_INL_HPP
#endif

#include <cstddef>
#include <iterator>

#include "kernels/elementary.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// kernels::exp, `n` registers side by side to hide the latency of the polynomial. Precondition:
// x <= exp_highest.
template <std::size_t n>
HWY_INLINE void exp_lanes(const Real* x, Real* result) {
  const Real lowest = hn::Set(real_tag, exp_lowest);
  const Real shift = hn::Set(real_tag, round_shift);
  Real r[n];
  Real p[n];
  Word exponent[n];
  for (std::size_t v = 0; v < n; ++v) {
    const Real clamped = hn::Max(x[v], lowest);
    // The low bits of the shifted sum are the integer k, which is all that << 52 keeps.
    const Real shifted = hn::Add(hn::Mul(clamped, hn::Set(real_tag, log2_e)), shift);
    const Real k = hn::Sub(shifted, shift);
    exponent[v] = hn::ShiftLeft<52>(hn::BitCast(word_tag, shifted));
    r[v] = hn::Sub(hn::Sub(clamped, hn::Mul(k, hn::Set(real_tag, ln2_high))),
                   hn::Mul(k, hn::Set(real_tag, ln2_low)));
    p[v] = hn::Set(real_tag, exp_coefficients[0]);
  }
  for (std::size_t i = 1; i < std::size(exp_coefficients); ++i) {
    const Real coefficient = hn::Set(real_tag, exp_coefficients[i]);
    for (std::size_t v = 0; v < n; ++v) p[v] = hn::Add(hn::Mul(p[v], r[v]), coefficient);
  }
  const Real one = hn::Set(real_tag, 1.0);
  for (std::size_t v = 0; v < n; ++v) {
    const Real mantissa = hn::Add(one, hn::Add(r[v], hn::Mul(hn::Mul(r[v], r[v]), p[v])));
    const Real value = hn::BitCast(real_tag, hn::Add(hn::BitCast(word_tag, mantissa), exponent[v]));
    result[v] = hn::IfThenElseZero(hn::Ge(x[v], lowest), value);
  }
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
