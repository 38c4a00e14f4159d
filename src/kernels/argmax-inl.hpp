// The best of scores that come register by register, for the kernels of score_arms.hpp and
// optimism.hpp.

#if defined(PHE_KERNELS_ARGMAX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef PHE_KERNELS_ARGMAX_INL_HPP
#undef PHE_KERNELS_ARGMAX_INL_HPP
#else
#define PHE_KERNELS_ARGMAX_INL_HPP
#endif

#include <limits>

#include "kernels/lanes-inl.hpp"
#include "kernels/score_arms.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The larger of two, `best` where `score` is NaN.
HWY_INLINE Real larger(Real score, Real best) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  return hn::Max(score, best);  // as the instruction has it
#else
  return hn::IfThenElse(hn::Gt(score, best), score, best);
#endif
}

// Each lane's largest score, where it came from, and whether any lane met its largest again. In two
// sets of lanes, so that a comparison need not wait for the one before. A comparison with NaN is
// false, so NaN never wins, nor does padding.
class Compare {
 public:
  static constexpr double padding = std::numeric_limits<double>::quiet_NaN();

  HWY_INLINE Compare() {
    for (Real& best : best_) best = hn::Set(real_tag, -infinity);
    for (Real& from : from_) from = hn::Zero(real_tag);
  }

  HWY_INLINE void take(Real score, std::size_t k, std::size_t v) {
    const Real block = hn::Set(real_tag, static_cast<double>(static_cast<std::int64_t>(k)));
    const Real here = hn::Add(block, hn::Set(real_tag, static_cast<double>(v * width)));
    Real& best = best_[v % sets];
    Real& from = from_[v % sets];
    again_ = hn::Or(again_, hn::Eq(score, best));
    from = hn::IfThenElse(hn::Gt(score, best), here, from);
    best = larger(score, best);
  }

  // The best arm and its score; false when there may be several or none.
  HWY_INLINE bool single(ArmId& arm, double& score) const {
    const auto second = hn::Gt(best_[1], best_[0]);
    const Real best = hn::IfThenElse(second, best_[1], best_[0]);
    alignas(64) double from[width];
    hn::Store(hn::IfThenElse(second, from_[1], from_[0]), real_tag, from);
    const Real top = hn::MaxOfLanes(real_tag, best);
    const std::size_t reached = hn::CountTrue(real_tag, hn::Eq(best_[0], top)) +
                                hn::CountTrue(real_tag, hn::Eq(best_[1], top));
    if (reached != 1 || !hn::AllFalse(real_tag, again_)) return false;
    const auto lane = static_cast<std::size_t>(hn::FindFirstTrue(real_tag, hn::Eq(best, top)));
    arm = static_cast<ArmId>(from[lane]) + static_cast<ArmId>(lane);
    score = hn::GetLane(top);
    return true;
  }

 private:
  static constexpr std::size_t sets = 2;
  Real best_[sets];
  Real from_[sets];
  hn::Mask<RealTag> again_ = hn::MaskFromVec(hn::Zero(real_tag));
};

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
