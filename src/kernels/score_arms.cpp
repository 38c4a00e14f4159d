#include "kernels/score_arms.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_arms.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

struct Features {
  std::size_t first;
  std::size_t last;  // not included
};

// Adds these features to the scores of the arms from k on. `registers` accumulators side by side:
// enough independent sums to hide the latency of an add.
template <std::size_t registers>
HWY_INLINE void score_block(const FeatureView& x, Features part, const double* theta, std::size_t k,
                            double* scores) {
  Real sum[registers];
  for (std::size_t v = 0; v < registers; ++v)
    sum[v] = part.first == 0 ? hn::Zero(real_tag) : hn::LoadU(real_tag, scores + k + v * width);
  for (std::size_t j = part.first; j < part.last; ++j) {
    const Real weight = hn::Set(real_tag, theta[j]);
    const double* feature = x.feature(j) + k;
    for (std::size_t v = 0; v < registers; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(weight, hn::Load(real_tag, feature + v * width)));
  }
  for (std::size_t v = 0; v < registers; ++v) hn::StoreU(sum[v], real_tag, scores + k + v * width);
}

HWY_INLINE void score_part(const FeatureView& x, Features part, const double* theta,
                           std::size_t first, std::size_t last, double* scores) {
  std::size_t k = first;
  for (; k + 8 * width <= last; k += 8 * width) score_block<8>(x, part, theta, k, scores);
  for (; k < last; k += lanes) score_block<vectors>(x, part, theta, k, scores);
}

// From memory, a page of arms and at most 10 features at a time: as many long streams as the
// hardware prefetches well, while the sums wait in the first-level cache. 24-29 GB/s instead of
// 13 at d = 32 and 128, where 28-30 can be read (EPYC, Zen 3).
void score_pages(const FeatureView& x, const double* theta, double* scores) {
  const std::size_t parts = (x.dimension + 9) / 10;
  for (std::size_t k = 0; k < x.padded_arms(); k += page_arms) {
    const std::size_t last = std::min(k + page_arms, x.padded_arms());
    for (std::size_t p = 0; p < parts; ++p)
      score_part(x, {x.dimension * p / parts, x.dimension * (p + 1) / parts}, theta, k, last,
                 scores);
  }
}

void score_arms(const FeatureView& x, const double* theta, double* scores) {
  constexpr std::size_t cached = 32'768;  // 256 KB of doubles: half of a small second-level cache
  if (x.stride * x.dimension > cached) return score_pages(x, theta, scores);
  score_part(x, {0, x.dimension}, theta, 0, x.padded_arms(), scores);
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
