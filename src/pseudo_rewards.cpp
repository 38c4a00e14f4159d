#include "phe/pseudo_rewards.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <numeric>

#include "kernels/binomial_half.hpp"
#include "kernels/matrix.hpp"
#include "kernels/weighted_sum.hpp"
#include "support/error.hpp"
#include "support/int128.hpp"

namespace phe {

namespace {

static_assert(PseudoRewards::look_ahead == kernels::repetitions &&
              PseudoRewards::look_ahead == kernels::sets);

// Rows drawn ahead before they are summed: their draws stay in the first-level cache.
constexpr std::size_t chunk = 128;

constexpr std::size_t padded(std::size_t entries) { return (entries + 7) / 8 * 8; }

}  // namespace

Result<PerturbationScale> PerturbationScale::from(double a) {
  if (!(a >= 1e-6 && a <= 1e6))
    return invalid("perturbation scale a must be between 1e-06 and 1e+06, got {}", a);
  // The shortest decimal that reads back as a: digits times a power of ten.
  char buffer[32];
  const auto [end, failure] =
      std::to_chars(buffer, buffer + sizeof buffer, a, std::chars_format::scientific);
  assert(failure == std::errc{});
  static_cast<void>(failure);
  std::uint64_t numerator = 0;
  int exponent = 0;
  const char* c = buffer;
  for (bool after_point = false; *c != 'e'; ++c) {
    if (*c == '.') {
      after_point = true;
      continue;
    }
    numerator = numerator * 10 + static_cast<std::uint64_t>(*c - '0');
    exponent -= after_point ? 1 : 0;
  }
  c += c[1] == '+' ? 2 : 1;  // from_chars takes no plus sign
  int power = 0;
  std::from_chars(c, end, power);
  exponent += power;
  if (exponent < -18)
    return invalid("perturbation scale a must have at most 18 decimal places, got {}", a);
  std::uint64_t denominator = 1;
  for (; exponent > 0; --exponent) numerator *= 10;
  for (; exponent < 0; ++exponent) denominator *= 10;
  const std::uint64_t divisor = std::gcd(numerator, denominator);
  return PerturbationScale(numerator / divisor, denominator / divisor);
}

std::uint64_t PerturbationScale::trials(std::uint64_t pulls) const noexcept {
  return static_cast<std::uint64_t>((uint128{numerator_} * pulls + denominator_ - 1) /
                                    denominator_);
}

PseudoRewards::PseudoRewards(PerturbationScale scale, Arms arms)
    : scale_(scale),
      arms_(std::move(arms)),
      trials_(arms_.size()),
      settled_(arms_.dimension(), arms_.size()),
      settled_trials_(arms_.size()),
      settled_row_(arms_.size(), none),
      ahead_(look_ahead * arms_.dimension()),
      fresh_rows_(look_ahead * padded(arms_.dimension())),
      draws_(look_ahead * std::min(arms_.size(), chunk)),
      sum_(padded(arms_.dimension())) {}

std::uint64_t PseudoRewards::set_pulls(ArmId arm, std::uint64_t pulls) noexcept {
  const std::uint64_t growth = scale_.trials(pulls) - trials_[arm];
  trials_[arm] += growth;
  assert(trials_[arm] < std::uint64_t{1} << 52);
  if (growth == 0) return 0;
  if (fresh_count_ == look_ahead) settle();
  const auto* end = fresh_arm_.begin() + fresh_count_;
  const auto* known = std::find(fresh_arm_.cbegin(), end, arm);
  const auto row = static_cast<std::size_t>(known - fresh_arm_.begin());
  if (known == end) {
    fresh_arm_[fresh_count_++] = arm;
    arms_.copy_row(arm, std::span(fresh_rows_).subspan(row * sum_.size(), arms_.dimension()));
  }
  fresh_trials_[row] += growth;
  return growth;
}

std::span<const double> PseudoRewards::draw(Rng& rng) noexcept {
  if (rounds_left_ == 0) draw_ahead(rng);
  // What came since the last 16 rounds were drawn, plus the last vector that is left of those.
  const auto trials = std::span(fresh_trials_).first(padded(fresh_count_));
  kernels::binomial_half(trials, rng, std::span(draws_).first(trials.size()));
  kernels::multiply({fresh_rows_.data(), fresh_count_, sum_.size()}, draws_.data(), sum_.data());
  const std::size_t d = arms_.dimension();
  const double* ahead = ahead_.data() + --rounds_left_ * d;
  for (std::size_t j = 0; j < d; ++j) sum_[j] += ahead[j];
  return std::span(sum_).first(d);
}

void PseudoRewards::draw_ahead(Rng& rng) noexcept {
  settle();
  std::ranges::fill(ahead_, 0.0);
  FeatureView rows = settled_.view();
  for (std::size_t first = 0; first < settled_.size(); first += chunk) {
    rows.data = settled_.view().data + first;
    rows.arms = std::min(chunk, settled_.size() - first);
    const auto trials = std::span(settled_trials_).subspan(first, rows.arms);
    kernels::binomial_half_rows(trials, rng, draws_);
    kernels::add_weighted_sums(rows, draws_, ahead_);
  }
  rounds_left_ = look_ahead;
}

void PseudoRewards::settle() noexcept {
  for (std::size_t i = 0; i < fresh_count_; ++i) {
    std::uint32_t& row = settled_row_[fresh_arm_[i]];
    if (row == none) row = settled_.append(arms_, fresh_arm_[i]);
    settled_trials_[row] += fresh_trials_[i];
  }
  fresh_count_ = 0;
  fresh_trials_.fill(0);
  rounds_left_ = 0;  // vectors drawn ahead for fewer trials are of no use now
}

}  // namespace phe
