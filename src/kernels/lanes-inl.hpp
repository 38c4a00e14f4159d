// Shared by the SIMD kernels, once per target: 8 virtual lanes on registers of any width.
//
// A kernel works on blocks of 8 lanes held in `vectors` registers; sums across lanes always use the
// tree in sum_lanes. So the bytes of a result do not depend on the register width. Products are
// rounded before they are added (no fused multiply-add), because a target without one could only
// imitate it slowly; docs/decisions/002 has the figures.

// Highway's per-target include guard.
#if defined(PHE_KERNELS_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef PHE_KERNELS_LANES_INL_HPP
#undef PHE_KERNELS_LANES_INL_HPP
#else
#define PHE_KERNELS_LANES_INL_HPP
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t lanes = 8;

using RealTag = hn::CappedTag<double, lanes>;
using WordTag = hn::CappedTag<std::uint64_t, lanes>;
using Real = hn::Vec<RealTag>;
using Word = hn::Vec<WordTag>;
inline constexpr RealTag real_tag;
inline constexpr WordTag word_tag;
inline constexpr std::size_t width = hn::MaxLanes(RealTag{});
inline constexpr std::size_t vectors = lanes / width;  // registers a block of 8 lanes takes

// ((0+4)+(2+6)) + ((1+5)+(3+7)): what halving a register of 8 lanes would give.
HWY_INLINE double sum_lanes(const Real* block) {
#if HWY_TARGET == HWY_AVX2
  // Without the way through memory.
  const Real quarter = hn::Add(block[0], block[1]);
  const hn::Half<RealTag> half_tag;
  const auto pair = hn::Add(hn::LowerHalf(half_tag, quarter), hn::UpperHalf(half_tag, quarter));
  return hn::GetLane(pair) + hn::GetLane(hn::Reverse2(half_tag, pair));
#else
  alignas(64) double lane[lanes];
  for (std::size_t v = 0; v < vectors; ++v) hn::Store(block[v], real_tag, lane + v * width);
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
#endif
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
