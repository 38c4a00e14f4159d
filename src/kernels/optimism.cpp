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

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(follow_pull);
HWY_EXPORT(best_optimistic);

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

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
