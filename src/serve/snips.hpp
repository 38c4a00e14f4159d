// Snips: the self-normalised estimate of what another policy would have earned, from logged
// decisions: mean(w r) / mean(w), w = pi(a) / p(a), and by the delta method its standard error.
// Two of them add up. The estimators of logs/ do more and read whole logs; this one is kept for
// every ten seconds of the page.
#pragma once

#include <cmath>
#include <cstdint>

#include "logs/joint_moments.hpp"

namespace phe::serve {

class Snips {
 public:
  void add(double w, double reward) noexcept { moments_.add({w, w * reward}); }
  void add(const Snips& other) noexcept { moments_.add(other.moments_); }

  [[nodiscard]] std::uint64_t rows() const noexcept { return moments_.count(); }
  // Whether there is an estimate: some row has a weight.
  [[nodiscard]] bool known() const noexcept { return moments_.mean()[weight] > 0.0; }
  [[nodiscard]] double value() const noexcept {
    return moments_.mean()[weighted] / moments_.mean()[weight];
  }
  // d value / d (mean w, mean w r) = (-value, 1) / mean w.
  [[nodiscard]] double standard_error() const noexcept {
    const double mean = moments_.mean()[weight];
    return std::sqrt(moments_.variance_of({-value() / mean, 1.0 / mean}) /
                     static_cast<double>(rows()));
  }

 private:
  enum Column : std::size_t { weight, weighted };
  logs::JointMoments<2> moments_;
};

}  // namespace phe::serve
