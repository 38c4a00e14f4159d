#include "kernels/score_arms.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_arms.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
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

// One pass keeps each lane's largest score, the block it came from, and whether it was met again.
// A comparison with NaN is false, so NaN never wins.
BestArms best_arms(const double* scores, std::size_t count) {
  Real best[vectors];
  Real block[vectors];
  auto again = hn::MaskFromVec(hn::Zero(real_tag));
  for (std::size_t v = 0; v < vectors; ++v) {
    best[v] = hn::Set(real_tag, -std::numeric_limits<double>::infinity());
    block[v] = hn::Zero(real_tag);
  }
  Real k_real = hn::Zero(real_tag);
  for (std::size_t k = 0; k < count; k += lanes) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const Real score = hn::LoadU(real_tag, scores + k + v * width);
      const auto better = hn::Gt(score, best[v]);
      again = hn::Or(again, hn::Eq(score, best[v]));
      best[v] = hn::IfThenElse(better, score, best[v]);
      block[v] = hn::IfThenElse(better, k_real, block[v]);
    }
    k_real = hn::Add(k_real, hn::Set(real_tag, lanes));
  }
  alignas(64) double lane_best[lanes];
  alignas(64) double lane_block[lanes];
  for (std::size_t v = 0; v < vectors; ++v) {
    hn::Store(best[v], real_tag, lane_best + v * width);
    hn::Store(block[v], real_tag, lane_block + v * width);
  }
  std::size_t top = 0;
  bool tied = false;
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    tied = lane_best[lane] == lane_best[top] || (tied && !(lane_best[lane] > lane_best[top]));
    top = lane_best[lane] > lane_best[top] ? lane : top;
  }
  // Ties are rare: whoever sees a sign of one counts them in a second pass.
  if (tied || !hn::AllFalse(real_tag, again)) return scalar::best_arms({scores, count});
  return {lane_best[top], 1, static_cast<ArmId>(lane_block[top]) + static_cast<ArmId>(top)};
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
  PHE_DISPATCH(score_arms)(x, theta.data(), scores.data());
  hide_padding(x, scores);
}

BestArms best_arms(std::span<const double> scores) noexcept {
  return PHE_DISPATCH(best_arms)(scores.data(), scores.size());
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
