#include "kernels/score_arms.hpp"

#include <algorithm>
#include <bit>
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

// The largest score seen, in four sets of lanes so that none waits for another. A comparison with
// NaN is false, so NaN never gets in.
class Largest {
 public:
  HWY_INLINE Largest() {
    for (Real& lane : lanes_) lane = hn::Set(real_tag, -std::numeric_limits<double>::infinity());
  }
  HWY_INLINE void see(Real score, std::size_t v) { raise(lanes_[v % sets], score); }
  HWY_INLINE Real everywhere() {
    for (std::size_t v = 1; v < sets; ++v) raise(lanes_[0], lanes_[v]);
    return hn::MaxOfLanes(real_tag, lanes_[0]);
  }

 private:
  HWY_INLINE static void raise(Real& to, Real score) {
    to = hn::IfThenElse(hn::Gt(score, to), score, to);
  }

  static constexpr std::size_t sets = 4;
  Real lanes_[sets];
};

struct NotAsked {
  HWY_INLINE void see(Real /*score*/, std::size_t /*v*/) {}
};

// -infinity for the lanes that stand for no arm.
HWY_INLINE Real hide_padding(Real scores, std::size_t k, std::size_t arms) {
  return hn::IfThenElse(hn::FirstN(real_tag, arms > k ? arms - k : 0), scores,
                        hn::Set(real_tag, -std::numeric_limits<double>::infinity()));
}

// Adds these features to the scores of the arms from k on. `registers` accumulators side by side:
// enough independent sums to hide the latency of an add.
template <std::size_t registers, bool padded, class Top>
HWY_INLINE void score_block(const FeatureView& x, Features part, const double* theta, std::size_t k,
                            double* scores, Top& top) {
  Real sum[registers];
  for (std::size_t v = 0; v < registers; ++v)
    sum[v] = part.first == 0 ? hn::Zero(real_tag) : hn::LoadU(real_tag, scores + k + v * width);
  for (std::size_t j = part.first; j < part.last; ++j) {
    const Real weight = hn::Set(real_tag, theta[j]);
    const double* feature = x.feature(j) + k;
    for (std::size_t v = 0; v < registers; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(weight, hn::Load(real_tag, feature + v * width)));
  }
  const bool whole = part.last == x.dimension;
  for (std::size_t v = 0; v < registers; ++v) {
    if (padded && whole) sum[v] = hide_padding(sum[v], k + v * width, x.arms);
    if (whole) top.see(sum[v], v);
    hn::StoreU(sum[v], real_tag, scores + k + v * width);
  }
}

template <class Top>
HWY_INLINE void score_part(const FeatureView& x, Features part, const double* theta,
                           std::size_t first, std::size_t last, double* scores, Top& top) {
  std::size_t k = first;
  for (; k + 8 * width <= std::min(last, x.arms); k += 8 * width)
    score_block<8, false>(x, part, theta, k, scores, top);
  for (; k < last; k += lanes) score_block<vectors, true>(x, part, theta, k, scores, top);
}

// From memory, a page of arms and at most 10 features at a time: as many long streams as the
// hardware prefetches well, while the sums wait in the first-level cache. 24-29 GB/s instead of
// 13 at d = 32 and 128, where 28-30 can be read (EPYC, Zen 3).
template <class Top>
HWY_INLINE void score_pages(const FeatureView& x, const double* theta, double* scores, Top& top) {
  const std::size_t parts = (x.dimension + 9) / 10;
  for (std::size_t k = 0; k < x.padded_arms(); k += page_arms) {
    const std::size_t last = std::min(k + page_arms, x.padded_arms());
    for (std::size_t p = 0; p < parts; ++p)
      score_part(x, {x.dimension * p / parts, x.dimension * (p + 1) / parts}, theta, k, last,
                 scores, top);
  }
}

template <class Top>
HWY_INLINE void score_all(const FeatureView& x, const double* theta, double* scores, Top& top) {
  constexpr std::size_t cached = 32'768;  // 256 KB of doubles: half of a small second-level cache
  if (x.stride * x.dimension > cached) return score_pages(x, theta, scores, top);
  score_part(x, {0, x.dimension}, theta, 0, x.padded_arms(), scores, top);
}

void score_arms(const FeatureView& x, const double* theta, double* scores) {
  NotAsked top;
  score_all(x, theta, scores, top);
}

// Bit i says whether score i of 8 is this one.
HWY_INLINE std::uint64_t reach(const double* scores, Real score) {
  std::uint64_t bits = 0;
  for (std::size_t v = 0; v < vectors; ++v) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(real_tag, hn::Eq(hn::LoadU(real_tag, scores + v * width), score), bytes);
    bits |= std::uint64_t{bytes[0]} << v * width;
  }
  return bits;
}

// Which scores are the largest; a pass of its own that waits for nothing.
HWY_INLINE BestArms find(const double* scores, std::size_t count, Real largest) {
  BestArms best{0.0, 0, 0};
  for (std::size_t k = 0; k < count; k += 64) {
    std::uint64_t bits = 0;
    const std::size_t size = std::min<std::size_t>(count - k, 64);
    for (std::size_t i = 0; i < size; i += lanes) bits |= reach(scores + k + i, largest) << i;
    if (best.count == 0 && bits != 0)
      best.first = static_cast<ArmId>(k) + static_cast<ArmId>(std::countr_zero(bits));
    best.count += static_cast<std::size_t>(std::popcount(bits));
  }
  best.score = best.count > 0 ? scores[best.first] : -std::numeric_limits<double>::infinity();
  return best;
}

BestArms score_and_find(const FeatureView& x, const double* theta, double* scores) {
  Largest top;
  score_all(x, theta, scores, top);
  return find(scores, x.padded_arms(), top.everywhere());
}

BestArms best_arms(const double* scores, std::size_t count) {
  Largest top;
  for (std::size_t k = 0; k < count; k += lanes)
    for (std::size_t v = 0; v < vectors; ++v)
      top.see(hn::LoadU(real_tag, scores + k + v * width), k / width + v);
  return find(scores, count, top.everywhere());
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(score_arms);
HWY_EXPORT(score_and_find);
HWY_EXPORT(best_arms);

void score_arms(FeatureView x, std::span<const double> theta, std::span<double> scores) noexcept {
  PHE_DISPATCH(score_arms)(x, theta.data(), scores.data());
}

BestArms score_and_find(FeatureView x, std::span<const double> theta,
                        std::span<double> scores) noexcept {
  return PHE_DISPATCH(score_and_find)(x, theta.data(), scores.data());
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
  for (std::size_t k = x.arms; k < x.padded_arms(); ++k)
    scores[k] = -std::numeric_limits<double>::infinity();
}

BestArms score_and_find(FeatureView x, std::span<const double> theta,
                        std::span<double> scores) noexcept {
  scalar::score_arms(x, theta, scores);
  return scalar::best_arms(scores);
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
