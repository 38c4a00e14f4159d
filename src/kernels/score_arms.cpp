#include "kernels/score_arms.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_arms.cpp"
#include "hwy/foreach_target.h"

#include "kernels/argmax-inl.hpp"
#include "kernels/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

struct Features {
  std::size_t first;
  std::size_t last;  // not included
};

// Where a score goes once its last feature is in: to memory, with -infinity for padding arms, or
// only into a comparison, which Compare is.
struct Store {
  static constexpr double padding = -infinity;
  double* scores;

  HWY_INLINE void take(Real score, std::size_t k, std::size_t v) {
    hn::StoreU(score, real_tag, scores + k + v * width);
  }
};

HWY_INLINE Real hide_padding(Real scores, std::size_t k, std::size_t arms, double padding) {
  return hn::IfThenElse(hn::FirstN(real_tag, arms > k ? arms - k : 0), scores,
                        hn::Set(real_tag, padding));
}

// Adds these features to the scores of the arms from k on. `registers` accumulators side by side:
// enough independent sums to hide the latency of an add. Sums that lack features wait in `partial`.
template <std::size_t registers, bool padded, class Sink>
HWY_INLINE void score_block(const FeatureView& x, Features part, const double* theta, std::size_t k,
                            double* partial, Sink& sink) {
  Real sum[registers];
  for (std::size_t v = 0; v < registers; ++v)
    sum[v] = part.first == 0 ? hn::Zero(real_tag) : hn::LoadU(real_tag, partial + k + v * width);
#pragma GCC unroll 2  // 2% of a round at d = 5 and 10
  for (std::size_t j = part.first; j < part.last; ++j) {
    const Real weight = hn::Set(real_tag, theta[j]);
    const double* feature = x.feature(j) + k;
    for (std::size_t v = 0; v < registers; ++v)
      sum[v] = hn::Add(sum[v], hn::Mul(weight, hn::Load(real_tag, feature + v * width)));
  }
  for (std::size_t v = 0; v < registers; ++v) {
    if (part.last < x.dimension) {
      hn::StoreU(sum[v], real_tag, partial + k + v * width);
    } else {
      if (padded) sum[v] = hide_padding(sum[v], k + v * width, x.arms, Sink::padding);
      sink.take(sum[v], k, v);
    }
  }
}

template <class Sink>
HWY_INLINE void score_part(const FeatureView& x, Features part, const double* theta,
                           std::size_t first, std::size_t last, double* partial, Sink& sink) {
  std::size_t k = first;
  for (; k + 8 * width <= std::min(last, x.arms); k += 8 * width)
    score_block<8, false>(x, part, theta, k, partial, sink);
  for (; k < last; k += lanes) score_block<vectors, true>(x, part, theta, k, partial, sink);
}

// From memory, a page of arms and at most 10 features at a time: as many long streams as the
// hardware prefetches well, while the sums wait in the first-level cache. 24-29 GB/s instead of
// 13 at d = 32 and 128, where 28-30 can be read (EPYC, Zen 3).
template <class Sink>
HWY_INLINE void score_pages(const FeatureView& x, const double* theta, double* partial,
                            Sink& sink) {
  const std::size_t parts = (x.dimension + 9) / 10;
  for (std::size_t k = 0; k < x.padded_arms(); k += page_arms) {
    const std::size_t last = std::min(k + page_arms, x.padded_arms());
    for (std::size_t p = 0; p < parts; ++p)
      score_part(x, {x.dimension * p / parts, x.dimension * (p + 1) / parts}, theta, k, last,
                 partial, sink);
  }
}

template <class Sink>
HWY_INLINE void score_all(const FeatureView& x, const double* theta, double* partial, Sink& sink) {
  constexpr std::size_t cached = 32'768;  // 256 KB of doubles: half of a small second-level cache
  if (x.stride * x.dimension > cached) return score_pages(x, theta, partial, sink);
  score_part(x, {0, x.dimension}, theta, 0, x.padded_arms(), partial, sink);
}

void score_arms(const FeatureView& x, const double* theta, double* scores) {
  Store store{scores};
  score_all(x, theta, scores, store);
}

// Ties are rare: whoever sees a sign of one looks at all scores again.
BestArms best_arms(const double* scores, std::size_t count) {
  Compare compare;
  for (std::size_t k = 0; k < count; k += lanes)
    for (std::size_t v = 0; v < vectors; ++v)
      compare.take(hn::LoadU(real_tag, scores + k + v * width), k, v);
  BestArms best{0.0, 1, 0};
  if (compare.single(best.first, best.score)) return best;
  return scalar::best_arms({scores, count});
}

BestArms best_scored(const FeatureView& x, const double* theta, double* scores) {
  Compare compare;
  score_all(x, theta, scores, compare);
  BestArms best{0.0, 1, 0};
  if (compare.single(best.first, best.score)) return best;
  HWY_NAMESPACE::score_arms(x, theta, scores);
  return scalar::best_arms({scores, x.padded_arms()});
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(score_arms);
HWY_EXPORT(best_scored);
HWY_EXPORT(best_arms);

void score_arms(const FeatureView& x, std::span<const double> theta,
                std::span<double> scores) noexcept {
  PHE_DISPATCH(score_arms)(x, theta.data(), scores.data());
}

BestArms best_scored(const FeatureView& x, std::span<const double> theta,
                     std::span<double> scores) noexcept {
  return PHE_DISPATCH(best_scored)(x, theta.data(), scores.data());
}

BestArms best_arms(std::span<const double> scores) noexcept {
  return PHE_DISPATCH(best_arms)(scores.data(), scores.size());
}

namespace scalar {

void score_arms(const FeatureView& x, std::span<const double> theta,
                std::span<double> scores) noexcept {
  for (std::size_t k = 0; k < x.arms; ++k) {
    double sum = 0.0;
    for (std::size_t j = 0; j < x.dimension; ++j) sum += theta[j] * x.feature(j)[k];
    scores[k] = sum;
  }
  for (std::size_t k = x.arms; k < x.padded_arms(); ++k)
    scores[k] = -std::numeric_limits<double>::infinity();
}

BestArms best_scored(const FeatureView& x, std::span<const double> theta,
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
