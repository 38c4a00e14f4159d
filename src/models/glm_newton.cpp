// Damped Newton steps with a fresh Hessian each: the part of GlmModel that converges from
// anywhere, and detects that there is nothing to converge to.
#include <algorithm>
#include <cmath>

#include "kernels/cholesky.hpp"
#include "kernels/elementary.hpp"
#include "kernels/logistic.hpp"
#include "kernels/matrix.hpp"
#include "kernels/score_arms.hpp"
#include "kernels/weighted_sum.hpp"
#include "models/glm.hpp"

namespace phe {

namespace {

constexpr int most_newton_steps = 200;
constexpr int small_trials = 64;  // of the length of a step, before it falls faster
// While no score moves by more than this, full Newton steps contract.
constexpr double small_move = 0.5;

}  // namespace

template <class Link>
GlmFit GlmModel<Link>::fit_newton(std::span<const double> target,
                                  std::span<double> theta) noexcept {
  const kernels::MatrixView factor{hessian_.data(), dimension_, stride_};
  double norm = evaluate(target, theta);
  bool restarted = false;
  for (int i = 0; i < most_newton_steps; ++i) {
    const bool small = norm <= tolerance * scale_;
    if (small && ridge_ > 0) return {.converged = true};
    if (!factorise(theta)) {
      // A bad start may have scores so large that the Hessian vanishes. At 0 it is as good as the
      // rows allow.
      if (restarted) break;
      restarted = true;
      std::ranges::fill(theta, 0.0);
      norm = evaluate(target, theta);
      continue;
    }
    kernels::cholesky_solve(factor, gradient_.data(), step_.data());
    const double slope = kernels::dot(gradient_.data(), step_.data(), stride_);
    if (small) {
      const auto [exists, can_tell] = look_for_minimum(slope);
      if (exists) return {.converged = true};
      if (!can_tell) break;
    }
    norm = advance(target, slope, theta);
    if (!std::isfinite(norm)) break;
  }
  return {.converged = false, .separable = ridge_ == 0};
}

// Moves theta along -step_, by a full Newton step or less; returns |gradient| there. `slope` is
// gradient^T step.
//
// While scores move by r / C at most, the Hessian changes by a factor of e^r at most, since
// |mu''| <= C mu'. So a step of length log(1 + r) / r, r / C the change of scores in a full step,
// cannot pass the minimum along its line: f falls, by an amount that bounds the number of steps. A
// longer one is taken when it does not pass the minimum either, that is, when the slope there has
// not changed sign.
template <class Link>
double GlmModel<Link>::advance(std::span<const double> target, double slope,
                               std::span<double> theta) noexcept {
  score_rows(std::span(step_).first(dimension_));
  double r = 0.0;
  for (std::size_t row = 0; row < rows_.size(); ++row) r = std::max(r, std::abs(scores_[row]));
  r *= Link::curvature;
  const double safe = r > small_move ? kernels::log(1.0 + r) / r : 1.0;
  const auto trial = std::span(trial_).first(dimension_);
  ++work_.steps;
  ++work_.newton_steps;
  double norm = 0.0;
  double length = 1.0;
  for (int trials = 1;; ++trials) {
    for (std::size_t j = 0; j < dimension_; ++j) trial[j] = theta[j] - length * step_[j];
    norm = evaluate(target, trial);
    const double slope_there = kernels::dot(gradient_.data(), step_.data(), stride_);
    if (slope_there >= 0 || !(length > safe)) break;
    // Passed the minimum: back to a little before where the slope, taken as a line, is zero. One
    // that rounding has left without its sign does not tell where that is.
    length = std::max(safe, length * (slope > 0 ? 0.9 * (slope / (slope - slope_there)) : 0.5));
    // A slope that is steep here and almost flat beyond the minimum is no line, and lengths of very
    // different size are possible: halve the number of their digits.
    if (trials >= small_trials) length = length > 2 * safe ? std::sqrt(length * safe) : safe;
  }
  std::ranges::copy(trial, theta.begin());
  return norm;
}

template <class Link>
double GlmModel<Link>::evaluate(std::span<const double> target,
                                std::span<const double> theta) noexcept {
  score_rows(theta);
  return gradient_from_scores(target, theta);
}

template <class Link>
void GlmModel<Link>::score_rows(std::span<const double> theta) noexcept {
  const FeatureView rows = rows_.view();
  kernels::score_arms(rows, theta, scores_);
  for (std::size_t row = rows.arms; row < rows.padded_arms(); ++row) scores_[row] = 0.0;
}

// gradient_ = sum_i x_i N_i mu(s_i) - b + 2 lambda theta; returns its norm.
template <class Link>
double GlmModel<Link>::gradient_from_scores(std::span<const double> target,
                                            std::span<const double> theta) noexcept {
  const FeatureView rows = rows_.view();
  Link::scaled_means(std::span(scores_).first(rows.padded_arms()), totals_, scratch_);
  for (std::size_t j = 0; j < dimension_; ++j) gradient_[j] = (2 * ridge_) * theta[j] - target[j];
  add_folded_gradient(theta, gradient_.data());
  kernels::add_weighted_sum(rows, scratch_, gradient_);
  return std::sqrt(kernels::dot(gradient_.data(), gradient_.data(), stride_));
}

// gradient += sum_i N_i (mu_i x_i + slope_i x_i x_i^T (theta - theta_i)) over the rows folded.
template <class Link>
void GlmModel<Link>::add_folded_gradient(std::span<const double> theta,
                                         double* gradient) const noexcept {
  if (folded_.hessian.empty()) return;
  for (std::size_t j = 0; j < dimension_; ++j) {
    const double* column = folded_.hessian.data() + j * stride_;
    gradient[j] += folded_.pull[j];
    for (std::size_t i = 0; i < dimension_; ++i) gradient[i] += column[i] * theta[j];
  }
}

// Replaces hessian_ by the Cholesky factor of the Hessian at theta.
template <class Link>
bool GlmModel<Link>::factorise(std::span<const double> theta) noexcept {
  const FeatureView rows = rows_.view();
  const std::size_t count = rows.padded_arms();
  score_rows(theta);
  Link::evaluate(std::span(scores_).first(count), scratch_, weights_);
  for (std::size_t row = 0; row < count; ++row) weights_[row] *= totals_[row];
  const kernels::MatrixView hessian{hessian_.data(), dimension_, stride_};
  // Rows that hardly differ and a small ridge can make a matrix that is singular in doubles. A
  // little more on the diagonal still gives a direction of descent.
  for (double extra = 0.0; extra < 1e-3; extra = std::max(1e-12, 100 * extra)) {
    if (folded_.hessian.empty())
      std::ranges::fill(hessian_, 0.0);
    else
      std::ranges::copy(folded_.hessian, hessian_.begin());
    kernels::add_weighted_outer(rows, weights_, scratch_, hessian);
    for (std::size_t j = 0; j < dimension_; ++j) {
      double& diagonal = hessian.column(j)[j];
      diagonal += 2 * ridge_ + extra * diagonal;
    }
    exact_hessian_ = extra == 0.0;
    if (kernels::cholesky(hessian)) return true;
    if (ridge_ == 0) break;
  }
  return false;
}

// With norms in the inverse Hessian at theta, b the largest |x_i|: along any line, the slope starts
// at -|gradient| or more and rises by (1 - e^(-C b u)) / (C b) within a distance u. So f has a
// minimum when C b |gradient| < 1, and if it has none this never holds. The gradient is known up to
// rounding, some ulps of N_i mu_i for each x_i; when that alone is too much, it is too late to
// tell. `squared_gradient` is |gradient|^2; hessian_ holds the factor.
template <class Link>
auto GlmModel<Link>::look_for_minimum(double squared_gradient) noexcept -> Minimum {
  const kernels::MatrixView factor{hessian_.data(), dimension_, stride_};
  Link::scaled_means(std::span(scores_).first(rows_.view().padded_arms()), totals_, scratch_);
  double widest = 0.0;
  double rounding = 0.0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double* x = rows_.features(static_cast<RowId>(row)).data();
    kernels::cholesky_solve(factor, x, trial_.data());
    const double width = std::sqrt(kernels::dot(x, trial_.data(), stride_));
    widest = std::max(widest, width);
    rounding += gradient_rounding * width *
                Link::rounding(totals_[row], scores_[row], scratch_[row], largest_reward_);
  }
  const double curvature = Link::curvature * widest;
  return {.exists = curvature * (std::sqrt(squared_gradient) + rounding) < 0.5,
          .can_tell = curvature * rounding < 0.25};
}

template <class Link>
void GlmModel<Link>::perturb(std::span<const double> normals, std::span<double> theta) noexcept {
  if (!factorise(theta)) return;
  std::copy_n(normals.begin(), dimension_, step_.begin());
  kernels::solve_transposed({hessian_.data(), dimension_, stride_}, step_.data(), step_.data());
  for (std::size_t j = 0; j < dimension_; ++j) theta[j] += step_[j];
}

template class GlmModel<LogitLink>;
template class GlmModel<LogLink>;
template class GlmModel<IdentityLink>;

}  // namespace phe
