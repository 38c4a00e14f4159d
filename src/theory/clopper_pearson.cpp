#include "theory/clopper_pearson.hpp"

#include <cassert>
#include <cmath>

#include "support/incomplete_beta.hpp"

namespace phe::theory {

namespace {

// The p at which `excess`, increasing in p, changes sign. Halving 200 times reaches p = 1e-60.
template <class Function>
double root_on_unit(Function excess) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (excess(middle) < 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials,
                         double confidence) noexcept {
  assert(trials >= 1 && successes <= trials && confidence > 0 && confidence < 1);
  const auto k = static_cast<double>(successes);
  const auto m = static_cast<double>(trials);
  const double miss = 0.5 * (1.0 - confidence);  // on each side
  Interval interval{0.0, 1.0};
  // P(at least k successes) = I_p(k, m - k + 1) is `miss` at the lower end.
  if (successes > 0)
    interval.low = root_on_unit([&](double p) { return incomplete_beta(k, m - k + 1, p) - miss; });
  // P(at most k successes) = I_{1-p}(m - k, k + 1) is `miss` at the upper end.
  if (successes < trials)
    interval.high =
        root_on_unit([&](double p) { return miss - incomplete_beta(m - k, k + 1, 1.0 - p); });
  return interval;
}

double normal_half_width(double confidence) noexcept {
  assert(confidence > 0 && confidence < 1);
  // P(|Z| > z) = erfc(z / sqrt 2); z = 40 q covers all doubles.
  const double miss = 1.0 - confidence;
  return 40.0 * root_on_unit([&](double q) { return miss - std::erfc(40.0 * q / std::sqrt(2.0)); });
}

}  // namespace phe::theory
