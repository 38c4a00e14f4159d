#include "theory/checks.hpp"

#include <algorithm>
#include <cmath>

namespace phe::theory {

namespace {

bool refuted(const Comparison& c, const Interval& interval) {
  switch (c.sense) {
    case Sense::at_most:
      return interval.low > c.bound;
    case Sense::at_least:
      return interval.high < c.bound;
    case Sense::equal:
      return interval.low > c.bound || interval.high < c.bound;
  }
  return true;
}

bool confirmed(const Comparison& c, const Interval& interval) {
  switch (c.sense) {
    case Sense::at_most:
      return interval.high <= c.bound;
    case Sense::at_least:
      return interval.low >= c.bound;
    case Sense::equal:
      return !refuted(c, interval);
  }
  return false;
}

// How close to failing, larger is closer; comparable within one check.
double closeness(const Comparison& c) {
  const double value = c.measured.value;
  switch (c.sense) {
    case Sense::at_most:
      return value / c.bound;
    case Sense::at_least:
      return c.bound / std::max(value, 1e-300);
    case Sense::equal:
      return std::abs(value - c.bound) / std::max(c.measured.standard_error, 1e-300);
  }
  return 0;
}

}  // namespace

Estimate Estimate::count(std::uint64_t successes, std::uint64_t trials) {
  return {.value = static_cast<double>(successes) / static_cast<double>(trials),
          .successes = successes,
          .trials = trials};
}

Interval Estimate::interval(double confidence) const {
  if (trials > 0) return clopper_pearson(successes, trials, confidence);
  if (is_exact()) return {value, value};
  const double half = normal_half_width(confidence) * standard_error;
  return {value - half, value + half};
}

void judge(std::vector<Check>& checks, double confidence) {
  std::size_t total = 0;
  for (const Check& check : checks)
    for (const Comparison& comparison : check.comparisons)
      if (!comparison.measured.is_exact()) ++total;
  const double each = 1 - (1 - confidence) / static_cast<double>(std::max<std::size_t>(total, 1));
  for (Check& check : checks) {
    check.holds = true;
    check.shown = true;
    double worst = -1;
    for (std::size_t i = 0; i < check.comparisons.size(); ++i) {
      const Comparison& comparison = check.comparisons[i];
      const Interval interval = comparison.measured.interval(each);
      const bool fails = refuted(comparison, interval);
      // A refuted comparison is shown before any other.
      const double rank = closeness(comparison) + (fails ? 1e300 : 0);
      if (rank > worst) {
        worst = rank;
        check.closest = i;
        check.interval = interval;
      }
      check.holds = check.holds && !fails;
      check.shown = check.shown && confirmed(comparison, interval);
    }
  }
}

bool all_hold(const std::vector<Check>& checks) noexcept {
  return std::ranges::all_of(checks, &Check::holds);
}

}  // namespace phe::theory
