// FlipLaw: how many coin flips stand for a pseudo-reward, and how they are scaled. LinPHE and
// LogPHE share it.
//
//   fixed arms   the pseudo-rewards of T_i pulls sum to B(ceil(a T_i), 1/2), as in the paper
//   contexts     each is a/2 + spread (B(m, 1/2) - m/2), m = ceil(a), spread = sqrt(a / m):
//                ceil(a 1) flips of a row that is seen once would make 1 of a = 1/2
//   fading       W_i pseudo-rewards in all, any number: m/16 + sqrt(1/8) (B(m, 1/2) - m/2) with
//                m = ceil(8 W): mean W/2 and variance W/4, rounded up by at most 1/8 of one
#pragma once

#include <algorithm>
#include <cmath>

#include "core/observation.hpp"
#include "core/pseudo_rewards.hpp"

namespace phe {

class FlipLaw {
 public:
  FlipLaw(PerturbationScale scale, bool contexts, bool fading = false)
      : flips_(fading     ? PerturbationScale::one()
               : contexts ? scale.rounded_up()
                          : scale),
        a_(scale.value()),
        mean_factor_(fading     ? 1.0 / grain
                     : contexts ? a_ / flips_.value()
                                : 1.0),
        spread_(std::sqrt(mean_factor_)),
        contexts_(contexts),
        fading_(fading) {}

  [[nodiscard]] double a() const noexcept { return a_; }
  [[nodiscard]] bool contexts() const noexcept { return contexts_; }
  [[nodiscard]] bool whole() const noexcept { return a_ == std::ceil(a_); }
  [[nodiscard]] bool fading() const noexcept { return fading_; }
  // What the flips' mean is multiplied by, and what their deviation from it: 1 but for fractional a
  // in contexts.
  [[nodiscard]] double mean_factor() const noexcept { return mean_factor_; }
  [[nodiscard]] double spread() const noexcept { return spread_; }

  // Fixed arms: a reward with a weight has ceil(a) flips of its own, scaled as in contexts, and not
  // a share in the ceil(a T_i) of its arm. The scale of their deviation is in the row itself.
  [[nodiscard]] bool of_each(const Observation& observation) const noexcept {
    return contexts_ || observation.arm == nowhere;
  }
  [[nodiscard]] double spread_of_each() const noexcept {
    return contexts_ || fading_ ? 1.0 : std::sqrt(a_ / std::ceil(a_));
  }

  // How many flips `pulls` observations of one row have; and the sum of the pseudo-rewards that
  // `heads` of them stand for.
  [[nodiscard]] std::uint64_t flips(std::uint64_t pulls) const noexcept {
    return flips_.trials(pulls);
  }
  // The flips of W pseudo-rewards of one row, where they fade.
  [[nodiscard]] static std::uint64_t fading_flips(double pseudo_rewards) noexcept {
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(grain * pseudo_rewards)));
  }
  [[nodiscard]] bool allows(std::uint64_t pulls) const noexcept { return flips_.allows(pulls); }
  [[nodiscard]] double scaled(double heads, double flips) const noexcept {
    return spread_ * heads + 0.5 * (mean_factor_ - spread_) * flips;
  }

  // `prior_variance`: of the Gaussian noise of the perturbed prior, after scaling; 0 for none.
  [[nodiscard]] PseudoRewards pseudo_rewards(std::size_t dimension, std::size_t arms,
                                             double prior_variance) const {
    using Kind = PseudoRewards::Kind;
    PseudoRewards result(flips_, dimension, contexts_ ? Kind::single : Kind::repeated, arms);
    if (fading_) result.let_caller_count();
    if (prior_variance > 0) result.add_prior(std::sqrt(prior_variance) / spread_);
    return result;
  }

 private:
  static constexpr double grain = 8.0;

  PerturbationScale flips_;
  double a_;
  double mean_factor_;
  double spread_;
  bool contexts_;
  bool fading_;
};

}  // namespace phe
