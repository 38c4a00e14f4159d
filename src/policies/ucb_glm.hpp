// UcbGlm: optimism in a generalised linear bandit (Li, Lu & Zhou 2017), here logistic. It takes
//
//   argmax_i x_i^T theta-hat + alpha |x_i|_{G^-1},   G = ridge I + sum x x^T,
//   alpha = (sigma / kappa) sqrt((d / 2) log(1 + 2 n / d) + log(1 / delta)),
//
// sigma the sub-Gaussian scale of rewards and kappa a lower bound of the logistic function's slope.
// As in the paper's comparison the estimate is regularised (Section 3.3), with ridge 1, so no arms
// have to be pulled at random first; and kappa = 1/4, the most optimistic value.
#pragma once

#include <cstdint>
#include <optional>

#include "policies/configured.hpp"
#include "policies/logistic_ucb.hpp"

namespace phe {

struct UcbGlmOptions {
  double ridge = 1.0;             // lambda
  double sigma = 0.5;             // of the rewards
  double kappa = 0.25;            // lower bound of the slope
  std::optional<double> delta;    // probability of an error; 1 / n
  std::uint64_t rounds = 10'000;  // n
};

class UcbGlm final : public Configured<UcbGlm, UcbGlmOptions, LogisticUcb> {
 public:
  static const Keys<UcbGlmOptions>& keys();
  UcbGlm(const Arms& arms, const UcbGlmOptions& options);

 private:
  [[nodiscard]] double radius_for(double squared_norm) const noexcept override;
};

}  // namespace phe
