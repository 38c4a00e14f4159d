#include "kernels/binomial_large.hpp"

#include <cmath>

#include "kernels/binomial_tables.hpp"
#include "kernels/elementary.hpp"

namespace phe::kernels {

namespace {

// Stirling's series: log n! = n log n - n + log(2 pi n) / 2 + stirling(n).
double stirling(double n) noexcept {
  const double r = 1.0 / n;
  const double r2 = r * r;
  return r * (1.0 / 12.0 - r2 * (1.0 / 360.0 - r2 * (1.0 / 1260.0)));
}

struct Proposal {
  std::uint64_t step;   // s
  std::uint64_t digit;  // n0 = 1024 * digit
  double n0;
  double widening;  // r^2 = s^2 n0 / trials, at least 1.04
};

Proposal proposal_for(double trials) noexcept {
  const double step = std::ceil(std::sqrt(trials * (1.04 / (15.0 * 1024.0))));
  const double digit = std::ceil(trials * (1.04 / 1024.0) / (step * step));
  const double n0 = 1024.0 * digit;
  return {static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(digit), n0,
          step * step * n0 / trials};
}

// target / (proposal * r) stays below this for all outcomes up to 30 standard deviations: with z
// the deviation and sigma0 >= 32 that of the table, its logarithm is at most
// z / sigma0 - (1 - 1/r^2) z^2 / 2 + z^4 / (12 n0) + 1/1024 < 0.01.
constexpr double ceiling = 1.0 / 0.985;

}  // namespace

double log_probability(double trials, double offset) noexcept {
  // With u = 2 offset / trials, |u| < 1/2:
  //   log p = -log(pi trials / 2) / 2 - log(1 - u^2) / 2
  //           - (trials / 2) sum_i u^(2i) / (i (2i - 1)) + Stirling's corrections.
  const double half = 0.5 * trials;
  const double u = offset / half;
  const double u2 = u * u;
  double entropy = 0.0;
  double power = u2;
  double log_term = 0.0;
  for (int i = 1; half * power > 1e-18; ++i, power *= u2) {
    entropy += power / (i * (2 * i - 1));
    log_term += power / i;
  }
  constexpr double half_pi = 0x1.921fb54442d18p+0;
  return 0.5 * (log_term - log(half_pi * trials)) - half * entropy + stirling(trials) -
         stirling(half + offset) - stirling(half - offset);
}

std::uint64_t binomial_large(std::uint64_t trials, Rng& rng) noexcept {
  const std::uint64_t odd = trials & 1;
  const std::uint64_t even = trials - odd;
  const auto m = static_cast<double>(even);
  const Proposal q = proposal_for(m);
  const double shrink = 0.5 - 0.5 / q.widening;  // (1 - 1/r^2) / 2
  const double table_slope = 1.0 / std::sqrt(q.n0);
  const BinomialTables& tables = BinomialTables::instance();
  for (;;) {
    const auto x =
        static_cast<double>(tables.draw(BinomialTables::coarse, q.digit, rng() >> 32, rng)) -
        0.5 * q.n0;
    // Centred steps: x covers the offsets from s x - floor(s / 2) on.
    const double offset = static_cast<double>(q.step) * x - static_cast<double>(q.step / 2) +
                          static_cast<double>(rng.below(q.step));
    const double v = to_unit(rng());
    const double z2 = 4.0 * offset * offset / m;
    if (z2 > 900.0) continue;
    // exp(-w) >= 1 - w: a lower bound of the acceptance ratio that decides most draws.
    bool accept = v < 0.98 * (1.0 - shrink * z2 - 1.5 * table_slope * std::sqrt(z2));
    if (!accept) {
      const double log_ratio = log_probability(m, offset) - log_probability(q.n0, x);
      const double ratio = exp(log_ratio) * static_cast<double>(q.step);
      accept = v < ratio / (std::sqrt(q.widening) * ceiling);
    }
    if (accept)
      return even / 2 + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset)) +
             (odd != 0 ? rng() >> 63 : 0);
  }
}

}  // namespace phe::kernels
