#include "kernels/optimism.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/optimism.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

void follow_pull(const double* correlations, std::size_t count, double step, double shrink,
                 double* means, double* squared_widths) {
  const Real steps = hn::Set(real_tag, step);
  const Real shrinks = hn::Set(real_tag, shrink);
  for (std::size_t k = 0; k < count; k += width) {
    const Real c = hn::LoadU(real_tag, correlations + k);
    const Real mean = hn::Add(hn::LoadU(real_tag, means + k), hn::Mul(steps, c));
    hn::StoreU(mean, real_tag, means + k);
    const Real w =
        hn::Sub(hn::LoadU(real_tag, squared_widths + k), hn::Mul(hn::Mul(shrinks, c), c));
    const Real zero = hn::Zero(real_tag);
    hn::StoreU(hn::IfThenElse(hn::Gt(w, zero), w, zero), real_tag, squared_widths + k);
  }
}

void optimistic_scores(const double* means, const double* squared_widths, std::size_t count,
                       double radius, double* scores) {
  const Real radii = hn::Set(real_tag, radius);
  for (std::size_t k = 0; k < count; k += width) {
    const Real w = hn::Sqrt(hn::LoadU(real_tag, squared_widths + k));
    hn::StoreU(hn::Add(hn::LoadU(real_tag, means + k), hn::Mul(radii, w)), real_tag, scores + k);
  }
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(follow_pull);
HWY_EXPORT(optimistic_scores);

void follow_pull(std::span<const double> correlations, double step, double shrink,
                 std::span<double> means, std::span<double> squared_widths) noexcept {
  PHE_DISPATCH(follow_pull)
  (correlations.data(), correlations.size(), step, shrink, means.data(), squared_widths.data());
}

void optimistic_scores(std::span<const double> means, std::span<const double> squared_widths,
                       double radius, std::span<double> scores) noexcept {
  PHE_DISPATCH(optimistic_scores)
  (means.data(), squared_widths.data(), means.size(), radius, scores.data());
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

void optimistic_scores(std::span<const double> means, std::span<const double> squared_widths,
                       double radius, std::span<double> scores) noexcept {
  for (std::size_t k = 0; k < means.size(); ++k)
    scores[k] = means[k] + radius * std::sqrt(squared_widths[k]);
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
