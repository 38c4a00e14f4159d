#include "phe/pseudo_rewards.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <numeric>

#include "kernels/binomial_half.hpp"
#include "kernels/root.hpp"
#include "kernels/weighted_sum.hpp"
#include "support/error.hpp"
#include "support/int128.hpp"

namespace phe {

namespace {

static_assert(PseudoRewards::look_ahead == kernels::repetitions &&
              PseudoRewards::look_ahead == kernels::sets);

// Rows drawn ahead before they are summed: their draws stay in the first-level cache.
constexpr std::size_t chunk = 128;

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
  if (denominator_ == 1) return numerator_ * pulls;
  return static_cast<std::uint64_t>((uint128{numerator_} * pulls + denominator_ - 1) /
                                    denominator_);
}

PseudoRewards::PseudoRewards(PerturbationScale scale, Arms arms)
    : scale_(scale),
      arms_(std::move(arms)),
      trials_(arms_.size()),
      rows_(arms_),
      drawn_trials_(arms_.size()),
      ahead_(look_ahead * rows_.stride()),
      grown_(arms_.size()),
      draws_(look_ahead * std::min(arms_.size(), chunk)) {}

std::uint64_t PseudoRewards::set_pulls(ArmId arm, std::uint64_t pulls) noexcept {
  const std::uint64_t growth = scale_.trials(pulls) - trials_[arm];
  if (growth == 0) return 0;
  if (trials_[arm] == drawn_trials_[rows_.row_of(arm)]) grown_[grown_count_++] = arm;
  trials_[arm] += growth;
  assert(trials_[arm] < std::uint64_t{1} << 52);
  return growth;
}

std::span<const double> PseudoRewards::draw(Rng& rng) noexcept {
  for (std::size_t i = 0; i < grown_count_; ++i) add_growth(grown_[i], rng);
  grown_count_ = 0;
  if (rounds_left_ == 0) draw_ahead(rng);
  return std::span(ahead_).subspan(--rounds_left_ * rows_.stride(), arms_.dimension());
}

void PseudoRewards::add_growth(ArmId arm, Rng& rng) noexcept {
  std::uint64_t& drawn = drawn_trials_[rows_.row_of(arm)];
  const std::uint64_t growth = trials_[arm] - drawn;
  drawn = trials_[arm];
  if (rounds_left_ == 0) return;
  kernels::binomial_half_rows({&growth, 1}, rng, draws_);
  kernels::add_outer({ahead_.data(), rounds_left_, rows_.stride()}, rows_.features(arm).data(),
                     draws_.data());
}

void PseudoRewards::draw_ahead(Rng& rng) noexcept {
  std::ranges::fill(ahead_, 0.0);
  const kernels::MatrixView ahead{ahead_.data(), look_ahead, rows_.stride()};
  for (std::size_t first = 0; first < rows_.size(); first += chunk) {
    const auto trials =
        std::span(drawn_trials_).subspan(first, std::min(chunk, rows_.size() - first));
    kernels::binomial_half_rows(trials, rng, draws_);
    kernels::add_weighted_sums(rows_.data() + first * rows_.stride(), trials.size(),
                               arms_.dimension(), draws_, ahead);
  }
  rounds_left_ = look_ahead;
}

}  // namespace phe
