// Confidence intervals of a mean. Those that hold for every n need to know between which bounds the
// terms can lie.
#pragma once

#include <cstdint>
#include <span>

#include "theory/clopper_pearson.hpp"

namespace phe::logs {

using theory::Interval;

// Terms lie in [low, high], low < high.
struct Bounds {
  double low = 0.0;
  double high = 1.0;

  [[nodiscard]] double range() const noexcept { return high - low; }
};

// value +- z SE: right for large n.
Interval normal_interval(double value, double standard_error, double confidence) noexcept;

// Empirical Bernstein (Maurer & Pontil 2009), on both sides: with L = ln(4 / delta) and s^2 the
// variance of n >= 2 terms, mean +- (sqrt(2 s^2 L / n) + 7 range L / (3 (n - 1))). Cut to the
// bounds by nobody: an interval that is wider than they are says that n is too small for it.
Interval bernstein_interval(double mean, double variance, std::uint64_t n, const Bounds& bounds,
                            double confidence) noexcept;

// The betting interval of Waudby-Smith & Ramdas (2024, the hedged capital of predictable plug-in
// bets): all means m in the bounds against which neither a bettor on "more" nor one on "less" would
// have multiplied the stake by 2 / delta. It holds for every n and every law within the bounds, and
// depends on the order of the terms. 16 bytes a term while it is computed.
Interval betting_interval(std::span<const double> terms, const Bounds& bounds, double confidence);

}  // namespace phe::logs
