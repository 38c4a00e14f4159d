#include "kernels/score_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_rows.cpp"
#include "hwy/foreach_target.h"

#include "kernels/dispatch.hpp"
#include "kernels/row_groups-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

// Returns 0 if the scores are finite, as the other functions do: see all_finite.
HWY_INLINE double score_singly(const double* rows, std::size_t first, std::size_t count,
                               const double* theta, std::size_t dimension, double* scores) {
  double check = 0.0;
  for (std::size_t k = first; k < count; ++k) {
    double sum = 0.0;
    for (std::size_t j = 0; j < dimension; ++j) sum += theta[j] * rows[k * dimension + j];
    scores[k] = sum;
    check += sum * 0.0;
  }
  return check;
}

#if HWY_TARGET == HWY_SCALAR

bool score_rows(const double* rows, std::size_t count, const double* theta, std::size_t dimension,
                double* scores) {
  return score_singly(rows, 0, count, theta, dimension, scores) == 0.0;
}

#else

// `groups` groups of rows side by side: enough independent sums to hide the latency of an add.
template <std::size_t groups>
HWY_INLINE Group score_groups(const double* rows, const double* theta, std::size_t dimension,
                              Group check, double* scores) {
  Group sum[groups];
  for (Group& part : sum) part = hn::Zero(group_tag);
  std::size_t j = 0;
  for (; j + 2 <= dimension; j += 2) {
    const Group first = hn::Set(group_tag, theta[j]);
    const Group second = hn::Set(group_tag, theta[j + 1]);
    for (std::size_t g = 0; g < groups; ++g) {
      const TwoFeatures two(rows + g * group_rows * dimension + j, dimension);
      sum[g] = hn::Add(sum[g], hn::Mul(first, two.first()));
      sum[g] = hn::Add(sum[g], hn::Mul(second, two.second()));
    }
  }
  if (j < dimension) {  // the last of an odd number is loaded with the one before
    const Group last = hn::Set(group_tag, theta[j]);
    for (std::size_t g = 0; g < groups; ++g) {
      const TwoFeatures two(rows + g * group_rows * dimension + j - 1, dimension);
      sum[g] = hn::Add(sum[g], hn::Mul(last, two.second()));
    }
  }
  for (std::size_t g = 0; g < groups; ++g) {
    hn::StoreU(sum[g], group_tag, scores + g * group_rows);
    check = hn::MulAdd(sum[g], hn::Zero(group_tag), check);
  }
  return check;
}

bool score_rows(const double* rows, std::size_t count, const double* theta, std::size_t dimension,
                double* scores) {
  Group check = hn::Zero(group_tag);
  constexpr std::size_t groups = 4;
  std::size_t k = 0;
  if (dimension > 1) {
    for (; k + groups * group_rows <= count; k += groups * group_rows)
      check = score_groups<groups>(rows + k * dimension, theta, dimension, check, scores + k);
    for (; k + group_rows <= count; k += group_rows)
      check = score_groups<1>(rows + k * dimension, theta, dimension, check, scores + k);
  }
  const double rest = score_singly(rows, k, count, theta, dimension, scores);
  return hn::AllTrue(group_tag, hn::Eq(check, hn::Zero(group_tag))) && rest == 0.0;
}

#endif

// x * 0 is 0 unless x is infinite or not a number, and then the sum of all is not a number.
bool all_finite(const double* values, std::size_t count) {
  constexpr std::size_t sums = 4;
  Real check[sums];
  for (Real& sum : check) sum = hn::Zero(real_tag);
  std::size_t i = 0;
  for (; i + sums * width <= count; i += sums * width)
    for (std::size_t v = 0; v < sums; ++v)
      check[v] =
          hn::MulAdd(hn::LoadU(real_tag, values + i + v * width), hn::Zero(real_tag), check[v]);
  double rest = 0.0;
  for (; i < count; ++i) rest += values[i] * 0.0;
  const Real all = hn::Add(hn::Add(check[0], check[1]), hn::Add(check[2], check[3]));
  return hn::AllTrue(real_tag, hn::Eq(all, hn::Zero(real_tag))) && rest == 0.0;
}

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace phe::kernels {

HWY_EXPORT(score_rows);
HWY_EXPORT(all_finite);

namespace {

void hide_padding(std::size_t count, std::span<double> scores) noexcept {
  for (std::size_t k = count; k < scores.size(); ++k)
    scores[k] = -std::numeric_limits<double>::infinity();
}

}  // namespace

bool score_rows(std::span<const double> rows, std::span<const double> theta,
                std::span<double> scores) noexcept {
  const std::size_t count = rows.size() / theta.size();
  const bool finite =
      PHE_DISPATCH(score_rows)(rows.data(), count, theta.data(), theta.size(), scores.data());
  hide_padding(count, scores);
  return finite;
}

bool all_finite(std::span<const double> values) noexcept {
  return PHE_DISPATCH(all_finite)(values.data(), values.size());
}

namespace scalar {

bool score_rows(std::span<const double> rows, std::span<const double> theta,
                std::span<double> scores) noexcept {
  const std::size_t count = rows.size() / theta.size();
  bool finite = true;
  for (std::size_t k = 0; k < count; ++k) {
    scores[k] = 0.0;
    for (std::size_t j = 0; j < theta.size(); ++j)
      scores[k] += theta[j] * rows[k * theta.size() + j];
    finite = finite && std::isfinite(scores[k]);
  }
  hide_padding(count, scores);
  return finite;
}

bool all_finite(std::span<const double> values) noexcept {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace scalar
}  // namespace phe::kernels
#endif  // HWY_ONCE
