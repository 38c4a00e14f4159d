// GlmUcb: optimism in a generalised linear bandit (Filippi, Cappe, Garivier & Szepesvari 2010),
// here logistic. It takes
//
//   argmax_i sigma(x_i^T theta-hat) + rho |x_i|_{G^-1},   G = ridge I + sum x x^T,
//   rho = (2 k kappa R / c) sqrt(2 d log n log(2 d n / delta)),
//   kappa = sqrt(3 + 2 log(1 + 2 L^2 / ridge)),   L = max |x_i|,
//
// c and k being bounds of sigma's slope, from below and above, and theta-hat the regularised
// estimate of Section 3.3. The defaults are those of the paper's comparison: ridge 1, and c = 1/4,
// the most optimistic value.
#pragma once

#include <cstdint>
#include <optional>

#include "policies/configured.hpp"
#include "policies/logistic_ucb.hpp"

namespace phe {

struct GlmUcbOptions {
  double ridge = 1.0;             // lambda
  double least_slope = 0.25;      // c
  double largest_slope = 0.25;    // k
  double reward_bound = 1.0;      // R
  std::optional<double> delta;    // probability of an error; 1 / n
  std::uint64_t rounds = 10'000;  // n
};

class GlmUcb final : public Configured<GlmUcb, GlmUcbOptions, LogisticUcb> {
 public:
  static const Keys<GlmUcbOptions>& keys();
  GlmUcb(const Arms& arms, const GlmUcbOptions& options);

 private:
  [[nodiscard]] double radius_for(double squared_norm) const noexcept override;
};

}  // namespace phe
