#include "kernels/optimism.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/optimism.cpp"
#include "hwy/foreach_target.h"

#include "kernels/argmax-inl.hpp"
#include "kernels/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

void follow_pull(const double* correlations, std::size_t count, double step, double shrink,
                 double* means, double* squared_widths) {
  const Real steps = hn::Set(real_tag, step);
  const Real shrinks = hn::Set(real_tag, shrink);
  for (std::size_t first = 0; first < count; first += lanes)
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t k = first + v * width;
      const Real c = hn::LoadU(real_tag, correlations + k);
      const Real mean = hn::Add(hn::LoadU(real_tag, means + k), hn::Mul(steps, c));
      hn::StoreU(mean, real_tag, means + k);
      const Real w =
          hn::Sub(hn::LoadU(real_tag, squared_widths + k), hn::Mul(hn::Mul(shrinks, c), c));
      const auto positive = hn::Gt(w, hn::Zero(real_tag));
      hn::StoreU(hn::IfThenElseZero(positive, w), real_tag, squared_widths + k);
    }
}

BestArms best_optimistic(const double* means, const double* squared_widths, std::size_t count,
                         double radius, double* scores) {
  const Real radii = hn::Set(real_tag, radius);
  Compare compare;
  for (std::size_t k = 0; k < count; k += lanes)
    for (std::size_t v = 0; v < vectors; ++v) {
      const Real w = hn::Sqrt(hn::LoadU(real_tag, squared_widths + k + v * width));
      const Real mean = hn::LoadU(real_tag, means + k + v * width);
      const Real score = hn::Add(mean, hn::Mul(radii, w));
      hn::StoreU(score, real_tag, scores + k + v * width);
      compare.take(score, k, v);
    }
  BestArms best{0.0, 1, 0};
  if (compare.single(best.first, best.score)) return best;
  return scalar::best_arms({scores, count});
}

// The ceilings of the actions in `registers` registers from k on: enough independent sums to hide
// the latency of an add.
template <std::size_t registers>
HWY_INLINE void ceilings_from(const FeatureView& x, const double* theta, const double* bounds,
                              Real radius, std::size_t k, double* means, double* ceilings,
                              Compare& compare) {
  Real mean[registers];
  Real square[registers];
  for (Real& sum : mean) sum = hn::Zero(real_tag);
  for (Real& sum : square) sum = hn::Set(real_tag, near_zero);
  for (std::size_t j = 0; j < x.dimension; ++j) {
    const Real weight = hn::Set(real_tag, theta[j]);
    const Real bound = hn::Set(real_tag, bounds[j]);
    for (std::size_t v = 0; v < registers; ++v) {
      const Real feature = hn::Load(real_tag, x.feature(j) + k + v * width);
      mean[v] = hn::Add(mean[v], hn::Mul(weight, feature));
      square[v] = hn::Add(square[v], hn::Mul(hn::Mul(bound, feature), feature));
    }
  }
  for (std::size_t v = 0; v < registers; ++v) {
    const std::size_t first = k + v * width;
    const auto exists = hn::FirstN(real_tag, x.arms > first ? x.arms - first : 0);
    mean[v] = hn::IfThenElse(exists, mean[v], hn::Set(real_tag, -infinity));
    const Real ceiling = hn::Add(mean[v], hn::Mul(radius, hn::Sqrt(square[v])));
    hn::StoreU(mean[v], real_tag, means + first);
    hn::StoreU(ceiling, real_tag, ceilings + first);
    compare.take(ceiling, k, v);
  }
}

BestArms best_ceiling(const FeatureView& x, const double* theta, const double* bounds,
                      double radius, double* means, double* ceilings) {
  constexpr std::size_t registers = vectors <= 4 ? 4 : vectors;
  const Real radii = hn::Set(real_tag, radius);
  Compare compare;
  std::size_t k = 0;
  for (; k + registers * width <= x.padded_arms(); k += registers * width)
    ceilings_from<registers>(x, theta, bounds, radii, k, means, ceilings, compare);
  for (; k < x.padded_arms(); k += lanes)
    ceilings_from<vectors>(x, theta, bounds, radii, k, means, ceilings, compare);
  BestArms best{0.0, 1, 0};
  if (compare.single(best.first, best.score)) return best;
  return scalar::best_arms({ceilings, x.padded_arms()});
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(follow_pull);
HWY_EXPORT(best_optimistic);
HWY_EXPORT(best_ceiling);

void follow_pull(std::span<const double> correlations, double step, double shrink,
                 std::span<double> means, std::span<double> squared_widths) noexcept {
  PHE_DISPATCH(follow_pull)
  (correlations.data(), correlations.size(), step, shrink, means.data(), squared_widths.data());
}

BestArms best_optimistic(std::span<const double> means, std::span<const double> squared_widths,
                         double radius, std::span<double> scores) noexcept {
  return PHE_DISPATCH(best_optimistic)(means.data(), squared_widths.data(), means.size(), radius,
                                       scores.data());
}

BestArms best_ceiling(const FeatureView& x, std::span<const double> theta,
                      std::span<const double> bounds, double radius, std::span<double> means,
                      std::span<double> ceilings) noexcept {
  return PHE_DISPATCH(best_ceiling)(x, theta.data(), bounds.data(), radius, means.data(),
                                    ceilings.data());
}

namespace scalar {

void follow_pull(std::span<const double> correlations, double step, double shrink,
                 std::span<double> means, std::span<double> squared_widths) noexcept {
  for (std::size_t k = 0; k < correlations.size(); ++k) {
    means[k] += step * correlations[k];
    const double w = squared_widths[k] - shrink * correlations[k] * correlations[k];
    squared_widths[k] = w > 0.0 ? w : 0.0;
  }
}

BestArms best_optimistic(std::span<const double> means, std::span<const double> squared_widths,
                         double radius, std::span<double> scores) noexcept {
  for (std::size_t k = 0; k < means.size(); ++k)
    scores[k] = means[k] + radius * std::sqrt(squared_widths[k]);
  return scalar::best_arms(scores);
}

BestArms best_ceiling(const FeatureView& x, std::span<const double> theta,
                      std::span<const double> bounds, double radius, std::span<double> means,
                      std::span<double> ceilings) noexcept {
  scalar::score_arms(x, theta, means);
  for (std::size_t k = 0; k < x.padded_arms(); ++k) {
    double square = near_zero;
    for (std::size_t j = 0; j < x.dimension; ++j)
      square += bounds[j] * x.feature(j)[k] * x.feature(j)[k];
    ceilings[k] = means[k] + radius * std::sqrt(square);
  }
  return scalar::best_arms(ceilings);
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
