// How well and at what cost a generalised linear model was fitted.
#pragma once

#include <cstdint>

namespace phe {

// What a fit reached. Look at it before trusting theta.
struct GlmFit {
  // |gradient| <= 1e-8 * M sum_i N_i max_j |x_ij|, M the largest reward, and, for lambda = 0, a
  // minimum certainly exists.
  bool converged = false;
  // Only for lambda = 0: some direction explains the data ever better, so there is no minimum (or
  // none that doubles can tell from that). Theta is then finite and points that way.
  bool separable = false;
  // The best arm at the minimum is certain, though theta may not have converged.
  bool arm_certain = false;
};

// How much work the fits were.
struct GlmWork {
  std::uint64_t fits = 0;
  std::uint64_t steps = 0;         // all steps theta -= (inverse Hessian) * gradient
  std::uint64_t newton_steps = 0;  // those of them that took a fresh Hessian
  std::uint64_t centres = 0;       // how often the centre was moved
};

}  // namespace phe
