// With terms z in [0, 1] and delta = 1 - confidence:
//
//   m_t = (1/2 + sum_{i<=t} z_i) / (t + 1),   v_t = (1/4 + sum_{i<=t} (z_i - m_i)^2) / (t + 1),
//   l_t = sqrt(2 ln(2/delta) / (n v_{t-1})),  v_0 = 1/4,
//
// and a mean m is in the interval when both bettors have less than ln(2/delta):
//
//   sum_t ln(1 + min(l_t, 1/(2m)) (z_t - m))   and   sum_t ln(1 - min(l_t, 1/(2(1-m))) (z_t - m)).
//
// The first falls with m, the second grows, so each end of the interval is one bisection.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "logs/intervals.hpp"

namespace phe::logs {

namespace {

struct Bets {
  std::vector<double> outcomes;  // z_t
  std::vector<double> stakes;    // l_t
};

Bets place_bets(std::span<const double> terms, const Bounds& bounds, double limit) {
  Bets bets;
  bets.outcomes.reserve(terms.size());
  bets.stakes.reserve(terms.size());
  const auto n = static_cast<double>(terms.size());
  double sum = 0.5;
  double squares = 0.25;
  double count = 1.0;  // t + 1
  for (const double term : terms) {
    const double z = std::clamp((term - bounds.low) / bounds.range(), 0.0, 1.0);
    bets.outcomes.push_back(z);
    bets.stakes.push_back(std::sqrt(2.0 * limit * count / (n * squares)));
    count += 1.0;
    sum += z;
    const double apart = z - sum / count;
    squares += apart * apart;
  }
  return bets;
}

// ln of the capital of the bettor on "more than m": sum ln(1 + min(l, cap) (z - m)), where
// cap = 1/(2m). No factor is below 1/2 or above 1 + l, so 64 of them can be multiplied before a
// logarithm is taken; four products side by side, because each waits for the one before it.
double log_capital(const Bets& bets, double m, double sign) {
  constexpr std::size_t lanes = 4;
  constexpr std::size_t block = 64;
  const double edge = sign > 0 ? m : 1.0 - m;
  const double cap = edge > 0 ? 0.5 / edge : std::numeric_limits<double>::infinity();
  const auto factor = [&](std::size_t t) {
    return 1.0 + sign * std::min(bets.stakes[t], cap) * (bets.outcomes[t] - m);
  };
  const std::size_t n = bets.outcomes.size();
  double sum = 0.0;
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t end = std::min(begin + block, n);
    double product[lanes] = {1.0, 1.0, 1.0, 1.0};
    std::size_t t = begin;
    for (; t + lanes <= end; t += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) product[lane] *= factor(t + lane);
    for (; t < end; ++t) product[0] *= factor(t);
    sum += std::log((product[0] * product[1]) * (product[2] * product[3]));
  }
  return sum;
}

// The mean in [0, 1] at which the bettor's capital crosses the limit; `rich` where it is above.
double crossing(const Bets& bets, double limit, double sign) {
  double rich = sign > 0 ? 0.0 : 1.0;
  double poor = 1.0 - rich;
  if (log_capital(bets, rich, sign) < limit) return rich;
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = 0.5 * (rich + poor);
    if (middle == rich || middle == poor) break;
    (log_capital(bets, middle, sign) < limit ? poor : rich) = middle;
  }
  return poor;
}

}  // namespace

Interval betting_interval(std::span<const double> terms, const Bounds& bounds, double confidence) {
  const double limit = std::log(2.0 / (1.0 - confidence));
  const Bets bets = place_bets(terms, bounds, limit);
  return {bounds.low + bounds.range() * crossing(bets, limit, 1.0),
          bounds.low + bounds.range() * crossing(bets, limit, -1.0)};
}

}  // namespace phe::logs
