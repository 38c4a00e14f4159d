#include "kernels/exponential.hpp"

#include <algorithm>

#include "kernels/elementary.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/exponential.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/exp-inl.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// slope = exp(min(s, steepest)); mean = slope * (1 + what s has above that).
template <std::size_t n>
HWY_INLINE void mean_and_slope(const double* scores, Real* mean, Real* slope) {
  const Real limit = hn::Set(real_tag, steepest);
  const Real one = hn::Set(real_tag, 1.0);
  Real score[n];
  Real low[n];
  for (std::size_t v = 0; v < n; ++v) {
    score[v] = hn::LoadU(real_tag, scores + v * width);
    low[v] = hn::Min(score[v], limit);
  }
  exp_lanes<n>(low, slope);
  for (std::size_t v = 0; v < n; ++v) {
    const Real above = hn::Max(hn::Sub(score[v], limit), hn::Zero(real_tag));
    mean[v] = hn::Mul(slope[v], hn::Add(one, above));
  }
}

template <std::size_t n>
HWY_INLINE void exponential_block(const double* scores, double* means, double* slopes) {
  Real mean[n];
  Real slope[n];
  mean_and_slope<n>(scores, mean, slope);
  for (std::size_t v = 0; v < n; ++v) {
    hn::StoreU(mean[v], real_tag, means + v * width);
    hn::StoreU(slope[v], real_tag, slopes + v * width);
  }
}

void exponential(const double* scores, double* means, double* slopes, std::size_t count) {
  std::size_t k = 0;
  for (; k + 4 * width <= count; k += 4 * width)
    exponential_block<4>(scores + k, means + k, slopes + k);
  for (; k < count; k += lanes) exponential_block<vectors>(scores + k, means + k, slopes + k);
}

template <std::size_t n>
HWY_INLINE void scaled_block(const double* scores, const double* totals, double* result) {
  Real mean[n];
  Real slope[n];
  mean_and_slope<n>(scores, mean, slope);
  for (std::size_t v = 0; v < n; ++v)
    hn::StoreU(hn::Mul(hn::LoadU(real_tag, totals + v * width), mean[v]), real_tag,
               result + v * width);
}

void scaled_exponential(const double* scores, const double* totals, double* result,
                        std::size_t count) {
  std::size_t k = 0;
  for (; k + 4 * width <= count; k += 4 * width)
    scaled_block<4>(scores + k, totals + k, result + k);
  for (; k < count; k += lanes) scaled_block<vectors>(scores + k, totals + k, result + k);
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(exponential);
HWY_EXPORT(scaled_exponential);

void exponential(std::span<const double> scores, std::span<double> means,
                 std::span<double> slopes) noexcept {
  PHE_DISPATCH(exponential)(scores.data(), means.data(), slopes.data(), scores.size());
}

void scaled_exponential(std::span<const double> scores, std::span<const double> totals,
                        std::span<double> result) noexcept {
  PHE_DISPATCH(scaled_exponential)(scores.data(), totals.data(), result.data(), scores.size());
}

namespace scalar {

namespace {

struct MeanAndSlope {
  double mean;
  double slope;
};

MeanAndSlope mean_and_slope(double score) noexcept {
  const double slope = exp(std::min(score, steepest));
  return {slope * (1.0 + std::max(score - steepest, 0.0)), slope};
}

}  // namespace

void exponential(std::span<const double> scores, std::span<double> means,
                 std::span<double> slopes) noexcept {
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const auto [mean, slope] = mean_and_slope(scores[k]);
    means[k] = mean;
    slopes[k] = slope;
  }
}

void scaled_exponential(std::span<const double> scores, std::span<const double> totals,
                        std::span<double> result) noexcept {
  for (std::size_t k = 0; k < scores.size(); ++k)
    result[k] = totals[k] * mean_and_slope(scores[k]).mean;
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
