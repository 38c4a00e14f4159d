// Links: how the mean of a reward follows from the score s = x^T theta. A GlmModel needs of one
//
//   evaluate      mean mu(s) and slope mu'(s) > 0 of many scores
//   scaled_means  N_i mu(s_i), for the gradient
//   curvature     a constant C with |mu''| <= C mu': while scores move by r, no slope changes by
//                 more than a factor of e^(C r). Damped steps and the certified stop rest on it
//   steep         whether slopes grow without bound
//   rounding      how large the numbers are of which N mu - P is rounded, rewards being at most M,
//                 and by which factor they may have grown when scores have moved by r
//   unit_rewards  whether the model is one of rewards mapped to [0, 1]; else of rewards in [0, M]
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/elementary.hpp"
#include "kernels/exponential.hpp"
#include "kernels/logistic.hpp"

namespace phe {

// mu(s) = 1 / (1 + exp(-s)): rewards in [0, 1].
struct LogitLink {
  static constexpr double curvature = 1.0;
  static constexpr bool steep = false;
  static constexpr bool unit_rewards = true;
  static void evaluate(std::span<const double> scores, std::span<double> means,
                       std::span<double> slopes) noexcept {
    kernels::logistic(scores, means, slopes);
  }
  static void scaled_means(std::span<const double> scores, std::span<const double> totals,
                           std::span<double> result) noexcept {
    kernels::scaled_sigmoid(scores, totals, result);
  }
  static double rounding(double n, double /*score*/, double /*n_mu*/, double /*M*/) noexcept {
    return n;
  }
  static double rounding_growth(double /*r*/) noexcept { return 1.0; }
};

// mu(s) = exp(s): counts and other rewards in [0, M]. Where it would overflow it is a line
// (kernels/exponential.hpp).
struct LogLink {
  static constexpr double curvature = 1.0;
  static constexpr bool steep = true;
  static constexpr bool unit_rewards = false;
  static void evaluate(std::span<const double> scores, std::span<double> means,
                       std::span<double> slopes) noexcept {
    kernels::exponential(scores, means, slopes);
  }
  static void scaled_means(std::span<const double> scores, std::span<const double> totals,
                           std::span<double> result) noexcept {
    kernels::scaled_exponential(scores, totals, result);
  }
  // An error of a score is a relative error of its mean.
  static double rounding(double n, double score, double n_mu, double M) noexcept {
    return n * M + (1.0 + std::abs(score)) * n_mu;
  }
  static double rounding_growth(double r) noexcept { return kernels::exp(r); }
};

// mu(s) = s: least squares, whose Hessian is the same everywhere.
struct IdentityLink {
  static constexpr double curvature = 0.0;
  static constexpr bool steep = false;
  static constexpr bool unit_rewards = true;
  static void evaluate(std::span<const double> scores, std::span<double> means,
                       std::span<double> slopes) noexcept {
    std::ranges::copy(scores, means.begin());
    std::ranges::fill(slopes.first(scores.size()), 1.0);
  }
  static void scaled_means(std::span<const double> scores, std::span<const double> totals,
                           std::span<double> result) noexcept {
    for (std::size_t k = 0; k < scores.size(); ++k) result[k] = totals[k] * scores[k];
  }
  static double rounding(double n, double /*score*/, double n_mu, double M) noexcept {
    return n * M + std::abs(n_mu);
  }
  static double rounding_growth(double r) noexcept { return 1.0 + r; }
};

}  // namespace phe
