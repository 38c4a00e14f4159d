#include "kernels/binomial.hpp"

#include <cmath>

#include "kernels/elementary.hpp"

namespace phe::kernels {

namespace {

// Inversion: walks over the probabilities from 0 up. Precondition: p <= 1/2, n p < 10.
double by_inversion(double n, double p, Rng& rng) noexcept {
  const double odds = p / (1.0 - p);
  // log(1 - p) by its series where 1 - p would lose p's digits.
  const double log_q =
      p < 1e-3 ? -p * (1.0 + p * (0.5 + p * (1.0 / 3.0 + p * 0.25))) : log(1.0 - p);
  const double none = exp(n * log_q);
  for (;;) {
    double u = to_unit(rng());
    double probability = none;
    for (double k = 0.0; k <= n && probability > 0.0; ++k) {
      if (u < probability) return k;
      u -= probability;
      probability *= odds * (n - k) / (k + 1.0);
    }
    // All probabilities were used up: u was within rounding of 1.
  }
}

// The remainder of Stirling's formula: log k! - [(k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2].
double stirling_tail(double k) noexcept {
  constexpr double exact[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                              0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                              0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                              0.00833056343336287};
  if (k < 10.0) return exact[static_cast<std::size_t>(k)];
  const double r = 1.0 / (k + 1.0);
  const double r2 = r * r;
  return r * (1.0 / 12.0 - r2 * (1.0 / 360.0 - r2 * (1.0 / 1260.0 - r2 * (1.0 / 1680.0))));
}

// Hormann's BTRS. Precondition: p <= 1/2, n p >= 10.
double by_rejection(double n, double p, Rng& rng) noexcept {
  const double odds = p / (1.0 - p);
  const double deviation = std::sqrt(n * p * (1.0 - p));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double centre = n * p + 0.5;
  const double squeeze = 0.92 - 4.2 / b;
  const double mode = std::floor((n + 1.0) * p);
  const double height = (2.83 + 5.1 / b) * deviation;
  for (;;) {
    const double u = to_unit(rng()) - 0.5;
    const double v = 1.0 - to_unit(rng());  // in (0, 1]
    const double edge = 0.5 - std::abs(u);
    const double k = std::floor((2.0 * a / edge + b) * u + centre);
    if (edge >= 0.07 && v <= squeeze) return k;
    if (!(k >= 0.0 && k <= n)) continue;
    // log of v times the hat, against log of P(k) / P(mode).
    const double log_v = log(v * height / (a / (edge * edge) + b));
    const double log_ratio = (mode + 0.5) * log((mode + 1.0) / (odds * (n - mode + 1.0))) +
                             (n + 1.0) * log((n - mode + 1.0) / (n - k + 1.0)) +
                             (k + 0.5) * log(odds * (n - k + 1.0) / (k + 1.0)) +
                             stirling_tail(mode) + stirling_tail(n - mode) - stirling_tail(k) -
                             stirling_tail(n - k);
    if (log_v <= log_ratio) return k;
  }
}

}  // namespace

std::uint64_t binomial(std::uint64_t trials, double p, Rng& rng) noexcept {
  if (p <= 0.0 || trials == 0) return 0;
  if (p >= 1.0) return trials;
  const auto n = static_cast<double>(trials);
  const double smaller = p <= 0.5 ? p : 1.0 - p;
  const double successes =
      n * smaller < 10.0 ? by_inversion(n, smaller, rng) : by_rejection(n, smaller, rng);
  const auto count = static_cast<std::uint64_t>(successes);
  return p <= 0.5 ? count : trials - count;
}

}  // namespace phe::kernels
