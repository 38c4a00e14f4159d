// Draws of B(trials, 1/2) for trials >= 2^14, by rejection, each in O(1).
//
// The proposal stretches a table's binomial: s * B(n0, 1/2) plus a uniform step in [0, s), slightly
// wider than the target, so that 87-97% are accepted, most of them by a bound that needs no
// logarithm. Each outcome's probability is right to a relative 2^-40: the only error is that of the
// acceptance ratio, computed in doubles. Outcomes beyond 30 standard deviations, whose total
// probability is below 2^-600, do not occur.
#pragma once

#include <cstdint>

#include "phe/rng.hpp"

namespace phe::kernels {

class LargeBinomial {
 public:
  // Precondition: BinomialTables::limit <= trials < 2^52.
  explicit LargeBinomial(std::uint64_t trials) noexcept;

  [[nodiscard]] std::uint64_t trials() const noexcept { return trials_; }
  std::uint64_t draw(Rng& rng) const noexcept;

  // With which probability a proposed offset from the mean is accepted, x being the table's outcome
  // that led to it; and a lower bound of that, which needs no logarithm.
  [[nodiscard]] double acceptance(double offset, double x) const noexcept;
  [[nodiscard]] double sure_acceptance(double offset) const noexcept;
  [[nodiscard]] std::uint64_t step() const noexcept { return step_; }

 private:
  [[nodiscard]] bool accept(double offset, double x, double v) const noexcept;

  std::uint64_t trials_;
  std::uint64_t step_;   // s
  std::uint64_t digit_;  // n0 = 1024 * digit
  double even_;          // trials, rounded down to an even number: the target's m
  double n0_;
  double shrink_;     // (1 - 1/r^2) / 2, where r^2 = s^2 n0 / m is at least 1.04
  double slope_;      // 1.5 / sqrt(n0)
  double log_scale_;  // log(s / (r * ceiling))
};

// Draws those of 8 lanes that have BinomialTables::limit trials or more, and leaves the others.
void draw_large(const std::uint64_t* trials, Rng& rng, double* draws) noexcept;

// log of the probability that B(trials, 1/2) = trials/2 + offset, for even trials >= 2^10 and
// |offset| at most 15 sqrt(trials); for tests too.
double log_probability(double trials, double offset) noexcept;

}  // namespace phe::kernels
