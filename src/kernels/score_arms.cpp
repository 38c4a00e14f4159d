#include "kernels/score_arms.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_arms.cpp"
#include "hwy/foreach_target.h"

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// `registers` accumulators side by side: enough independent sums to hide the latency of an add.
template <std::size_t registers>
HWY_INLINE void score_block(const FeatureView& x, const double* theta, std::size_t k,
                            double* scores) {
  Real sum[registers];
  for (std::size_t v = 0; v < registers; ++v) sum[v] = hn::Zero(real_tag);
  for (std::size_t j = 0; j < x.dimension; ++j) {
    const Real weight = hn::Set(real_tag, theta[j]);
    const double* feature = x.feature(j) + k;
    for (std::size_t v = 0; v < registers; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(weight, hn::Load(real_tag, feature + v * width)));
  }
  for (std::size_t v = 0; v < registers; ++v) hn::StoreU(sum[v], real_tag, scores + k + v * width);
}

void score_arms(const FeatureView& x, const double* theta, double* scores) {
  const std::size_t count = x.padded_arms();
  std::size_t k = 0;
  for (; k + 8 * width <= count; k += 8 * width) score_block<8>(x, theta, k, scores);
  for (; k < count; k += lanes) score_block<vectors>(x, theta, k, scores);
}

BestArms best_arms(const double* scores, std::size_t count) {
  Real best[vectors];
  for (std::size_t v = 0; v < vectors; ++v)
    best[v] = hn::Set(real_tag, -std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < count; k += lanes)
    for (std::size_t v = 0; v < vectors; ++v) {
      const Real score = hn::LoadU(real_tag, scores + k + v * width);
      best[v] = hn::IfThenElse(hn::Gt(score, best[v]), score, best[v]);
    }
  alignas(64) double lane[lanes];
  for (std::size_t v = 0; v < vectors; ++v) hn::Store(best[v], real_tag, lane + v * width);
  double top = lane[0];
  for (std::size_t i = 1; i < lanes; ++i) top = lane[i] > top ? lane[i] : top;

  const Real target = hn::Set(real_tag, top);
  BestArms result{top, 0, 0};
  for (std::size_t k = 0; k < count; k += width) {
    const auto equal = hn::Eq(hn::LoadU(real_tag, scores + k), target);
    if (hn::AllFalse(real_tag, equal)) continue;
    if (result.count == 0)
      result.first =
          static_cast<ArmId>(k + static_cast<std::size_t>(hn::FindFirstTrue(real_tag, equal)));
    result.count += hn::CountTrue(real_tag, equal);
  }
  return result;
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(score_arms);
HWY_EXPORT(best_arms);

namespace {

void hide_padding(FeatureView x, std::span<double> scores) {
  for (std::size_t k = x.arms; k < x.padded_arms(); ++k)
    scores[k] = -std::numeric_limits<double>::infinity();
}

}  // namespace

void score_arms(FeatureView x, std::span<const double> theta, std::span<double> scores) noexcept {
  HWY_DYNAMIC_DISPATCH(score_arms)(x, theta.data(), scores.data());
  hide_padding(x, scores);
}

BestArms best_arms(std::span<const double> scores) noexcept {
  return HWY_DYNAMIC_DISPATCH(best_arms)(scores.data(), scores.size());
}

namespace scalar {

void score_arms(FeatureView x, std::span<const double> theta, std::span<double> scores) noexcept {
  for (std::size_t k = 0; k < x.arms; ++k) {
    double sum = 0.0;
    for (std::size_t j = 0; j < x.dimension; ++j) sum += theta[j] * x.feature(j)[k];
    scores[k] = sum;
  }
  hide_padding(x, scores);
}

BestArms best_arms(std::span<const double> scores) noexcept {
  BestArms best{-std::numeric_limits<double>::infinity(), 0, 0};
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (scores[k] > best.score) {
      best = {scores[k], 1, static_cast<ArmId>(k)};
    } else if (scores[k] == best.score) {
      if (best.count == 0) best.first = static_cast<ArmId>(k);
      ++best.count;
    }
  }
  return best;
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
