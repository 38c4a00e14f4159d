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

// target / (proposal * r) stays below this for all outcomes up to 30 standard deviations: with z
// the deviation, its logarithm is at most
// z / sqrt(n0) - (1 - 1/r^2) z^2 / 2 + z^4 / (12 n0) + 1/n0 < 0.01, since n0 >= 5 * 1024.
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

LargeBinomial::LargeBinomial(std::uint64_t trials) noexcept
    : trials_(trials), even_(static_cast<double>(trials - trials % 2)) {
  // The smallest step, and then the smallest table, that widen the target's variance by 4%.
  const double step = std::ceil(std::sqrt(even_ * (1.04 / (15.0 * 1024.0))));
  const double digit = std::ceil(even_ * (1.04 / 1024.0) / (step * step));
  step_ = static_cast<std::uint64_t>(step);
  digit_ = static_cast<std::uint64_t>(digit);
  n0_ = 1024.0 * digit;
  const double widening = step * step * n0_ / even_;
  shrink_ = 0.5 - 0.5 / widening;
  slope_ = 1.5 / std::sqrt(n0_);
  log_scale_ = log(step / (std::sqrt(widening) * ceiling));
}

std::uint64_t LargeBinomial::draw(Rng& rng) const noexcept {
  const BinomialTables& tables = BinomialTables::instance();
  const auto step = static_cast<double>(step_);
  const double half_step = std::floor(step / 2);
  for (;;) {
    const std::uint64_t word = rng();
    const double x =
        static_cast<double>(tables.draw(BinomialTables::coarse, digit_, word >> 32, rng)) -
        0.5 * n0_;
    // Centred steps: x covers the offsets from s x - floor(s / 2) on.
    const double offset = step * x - half_step + static_cast<double>(rng.below(step_));
    if (!accept(offset, x, to_unit(rng()))) continue;
    const std::uint64_t coin = trials_ % 2 != 0 ? word & 1 : 0;
    return trials_ / 2 + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset)) + coin;
  }
}

bool LargeBinomial::accept(double offset, double x, double v) const noexcept {
  if (4.0 * offset * offset / even_ > 900.0) return false;
  return v < sure_acceptance(offset) || v < acceptance(offset, x);
}

double LargeBinomial::acceptance(double offset, double x) const noexcept {
  return exp(log_probability(even_, offset) - log_probability(n0_, x) + log_scale_);
}

// exp(-w) >= 1 - w.
double LargeBinomial::sure_acceptance(double offset) const noexcept {
  const double z2 = 4.0 * offset * offset / even_;
  return 0.98 * (1.0 - shrink_ * z2 - slope_ * std::sqrt(z2));
}

void draw_large(const std::uint64_t* trials, Rng& rng, double* draws) noexcept {
  LargeBinomial large(BinomialTables::limit);
  for (std::size_t lane = 0; lane < Rng::lanes; ++lane) {
    if (trials[lane] < BinomialTables::limit) continue;
    if (trials[lane] != large.trials()) large = LargeBinomial(trials[lane]);
    draws[lane] = static_cast<double>(large.draw(rng));
  }
}

}  // namespace phe::kernels
