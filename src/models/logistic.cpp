#include "phe/logistic.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "kernels/cholesky.hpp"
#include "kernels/elementary.hpp"
#include "kernels/logistic.hpp"
#include "kernels/matrix.hpp"
#include "kernels/score_arms.hpp"
#include "kernels/weighted_sum.hpp"
#include "models/model_memory.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

// The centre moves when the history has grown by this factor.
constexpr double growth = 1.15;
// A reused Hessian must shrink the gradient (in the norm of M) by this factor a step.
constexpr double slowest_contraction = 0.5;
constexpr int most_reuses = 16;

// Bounds |theta - minimum| in the norm of the centre's Hessian, given the gradient's norm in M, how
// far the scores at theta have moved from the centre's, and b, the largest |x_i|_M. On the way to
// the minimum, at a distance u from theta, no score is further than moved + b u from the centre's;
// as |sigma''| <= sigma', the Hessian there is at least e^-(moved + b u) times the centre's. So
//   |gradient| >= e^-moved (1 - e^(-b distance)) / b.
// Infinite when the gradient is too large to tell.
double distance_to_minimum(double gradient, double moved, double b) noexcept {
  const double straight = kernels::exp(moved) * gradient;
  const double curvature = b * straight;
  if (!(curvature < 1.0)) return std::numeric_limits<double>::infinity();
  return straight / (1.0 - curvature);  // at least -log(1 - curvature) / b
}

}  // namespace

Result<void> LogisticModel::check(std::string_view who, const Arms& arms, double ridge) {
  if (!(ridge >= 0) || !std::isfinite(2 * ridge))
    return invalid("{}: ridge must be >= 0 and finite, got {}", who, ridge);
  for (ArmId arm = 0; arm < arms.size(); ++arm)
    for (std::size_t j = 0; j < arms.dimension(); ++j)
      if (std::abs(arms.at(arm, j)) > largest_feature)
        return invalid("{}: features must be at most {} in size, got {} in row {}, column {}", who,
                       largest_feature, arms.at(arm, j), arm + 1, j + 1);
  if (auto fits = check_model_memory(who, arms); !fits) return fits;
  if (ridge > 0) return {};
  if (const auto basis = arms.basis(); !basis)
    return invalid("{}: ridge must be > 0 for these arms: {}", who, basis.error().message);
  return {};
}

LogisticModel::LogisticModel(Arms arms, double ridge)
    : arms_(std::move(arms)),
      ridge_(ridge),
      dimension_(arms_.dimension()),
      stride_(padded(dimension_)),
      rows_(dimension_, arms_.size()),
      row_of_arm_(arms_.size(), none),
      hessian_(dimension_ * stride_) {
  arm_of_row_.reserve(arms_.size());
  for (auto* by_arm : {&totals_, &scores_, &weights_, &scratch_, &centre_.scores, &centre_.means,
                       &centre_.slopes, &centre_.row_scores, &centre_.row_weights, &centre_.widths})
    by_arm->resize(arms_.view().stride);
  for (auto* vector : {&expected_target_, &gradient_, &step_, &trial_, &row_, &next_centre_,
                       &centre_.theta, &centre_.pull})
    vector->resize(stride_);
  centre_.inverse.resize(dimension_ * stride_);
}

std::uint32_t LogisticModel::add(ArmId arm, double observations,
                                 double expected_positives) noexcept {
  assert(arm < arms_.size() && observations > 0);
  std::uint32_t& row = row_of_arm_[arm];
  if (row == none) {
    row = rows_.append(arms_, arm);
    arm_of_row_.push_back(arm);
    centre_.row_scores[row] = centre_.scores[arm];
    centre_.widest = std::max(centre_.widest, centre_.widths[arm]);
  }
  totals_[row] += observations;
  total_ += observations;
  arms_.copy_row(arm, row_);
  double largest = 0.0;
  for (std::size_t j = 0; j < dimension_; ++j) {
    expected_target_[j] += expected_positives * row_[j];
    largest = std::max(largest, std::abs(row_[j]));
  }
  scale_ += observations * largest;
  if (!centre_.valid) return row;
  centre_.rounding += gradient_rounding * observations * centre_.widths[arm];

  // The centre stays where it is. Its gradient gains a term, its inverse follows by
  // Sherman-Morrison: M -= g g^T / (1 + r^T g) with r = sqrt(weight) x and g = M r.
  const double pull = observations * centre_.means[arm];
  const double weight = observations * centre_.slopes[arm];
  centre_.row_weights[row] += weight;
  const double root = std::sqrt(weight);
  for (std::size_t j = 0; j < dimension_; ++j) {
    centre_.pull[j] += pull * row_[j];
    row_[j] *= root;
  }
  const kernels::MatrixView inverse{centre_.inverse.data(), dimension_, stride_};
  kernels::multiply(inverse, row_.data(), step_.data());
  const double square = kernels::dot(row_.data(), step_.data(), stride_);
  const double shrink = 1.0 / std::sqrt(1.0 + std::max(0.0, square));  // < 0 only by rounding
  for (double& gain : step_) gain *= shrink;
  kernels::subtract_outer(inverse, step_.data());
  return row;
}

LogisticFit LogisticModel::fit(std::span<const double> target, std::span<double> theta) noexcept {
  recentre_when_due();
  ++work_.fits;
  return fit_from_centre(target, theta, {});
}

LogisticFit LogisticModel::fit_until_certain(std::span<const double> target,
                                             std::span<double> theta,
                                             std::span<double> scores) noexcept {
  recentre_when_due();
  if (!centre_.has_widths) measure_widths();
  ++work_.fits;
  const LogisticFit result = fit_from_centre(target, theta, scores);
  if (!result.arm_certain) kernels::score_arms(arms_.view(), theta, scores);
  return result;
}

// `arm_scores` is empty when theta must converge.
LogisticFit LogisticModel::fit_from_centre(std::span<const double> target, std::span<double> theta,
                                           std::span<double> arm_scores) noexcept {
  std::copy_n(centre_.theta.begin(), dimension_, theta.begin());
  if (!centre_.valid) return fit_newton(target, theta);
  constexpr LogisticFit certain{.converged = false, .separable = false, .arm_certain = true};
  const bool stop_early = !arm_scores.empty();
  const bool needs_distance = stop_early || ridge_ == 0;
  if (needs_distance && !centre_.has_widths) measure_widths();

  // The first step, from the centre: no exponential.
  const kernels::MatrixView inverse{centre_.inverse.data(), dimension_, stride_};
  for (std::size_t j = 0; j < dimension_; ++j) gradient_[j] = centre_.pull[j] - target[j];
  kernels::multiply(inverse, gradient_.data(), step_.data());
  double last_size = kernels::dot(gradient_.data(), step_.data(), stride_);  // |gradient|^2 in M
  for (std::size_t j = 0; j < dimension_; ++j) theta[j] -= step_[j];
  ++work_.steps;
  score_rows(theta);
  if (stop_early && arm_is_certain(theta, distance_after_first_step(), arm_scores)) return certain;

  for (int reuse = 0; reuse < most_reuses; ++reuse) {
    const double norm = gradient_from_scores(target, theta);
    kernels::multiply(inverse, gradient_.data(), step_.data());
    const double size = kernels::dot(gradient_.data(), step_.data(), stride_);
    const std::size_t rows = rows_.view().padded_arms();
    const double moved = needs_distance ? kernels::largest_difference(
                                              std::span(scores_).first(rows), centre_.row_scores)
                                        : 0.0;
    const double distance = needs_distance ? distance_to_minimum(std::sqrt(size) + centre_.rounding,
                                                                 moved, centre_.widest)
                                           : 0.0;
    if (norm <= tolerance * scale_) {
      if (!std::isfinite(distance) && ridge_ == 0) break;  // is there a minimum at all?
      return {.converged = true};
    }
    if (!(size <= slowest_contraction * slowest_contraction * last_size)) break;
    last_size = size;
    for (std::size_t j = 0; j < dimension_; ++j) theta[j] -= step_[j];
    ++work_.steps;
    // The step multiplied theta - minimum by I - M H, with H a mean of Hessians that are within a
    // factor of e^(moved + b distance) of the centre's.
    if (stop_early && std::isfinite(distance)) {
      const double factor = kernels::exp(moved + centre_.widest * distance) - 1.0;
      if (arm_is_certain(theta, factor * distance, arm_scores)) return certain;
    }
    score_rows(theta);
  }
  return fit_newton(target, theta);
}

// After the first step the gradient is what the centre's Hessian missed, sum_i x_i N_i e_i, where
// |e_i| <= slope_i (exp(|u_i|) - 1 - |u_i|) for a score that moved by u_i. Since that Hessian
// contains sum_i N_i slope_i x_i x_i^T, the norm of the gradient in M is at most
// sqrt(sum_i N_i slope_i (exp(|u_i|) - 1 - |u_i|)^2).
double LogisticModel::distance_after_first_step() const noexcept {
  const std::size_t rows = rows_.view().padded_arms();
  const auto [quartic, moved] = kernels::weighted_quartic(std::span(scores_).first(rows),
                                                          centre_.row_scores, centre_.row_weights);
  // (exp(u) - 1 - u) / u^2 grows with u, from 1/2.
  const double factor =
      moved > 1e-3 ? (kernels::exp(moved) - 1.0 - moved) / (moved * moved) : 0.501;
  return distance_to_minimum(factor * std::sqrt(quartic) + centre_.rounding, moved, centre_.widest);
}

// Whether one arm is best at every point within `distance` of theta: |x^T u| <= |x|_M |u|.
bool LogisticModel::arm_is_certain(std::span<const double> theta, double distance,
                                   std::span<double> scores) const noexcept {
  if (!std::isfinite(distance)) return false;
  kernels::score_arms(arms_.view(), theta, scores);
  const kernels::BestArms best = kernels::best_arms(scores);
  const double bar = best.score - distance * centre_.widths[best.first];
  return kernels::count_reaching(scores, centre_.widths, distance, bar) == 1;
}

void LogisticModel::recentre_when_due() noexcept {
  if (centre_.valid && total_ < growth * centre_.total) return;
  const auto theta = std::span(next_centre_).first(dimension_);
  fit_from_centre(expected_target(), theta, {});
  std::ranges::copy(theta, centre_.theta.begin());
  describe_centre();
  ++work_.centres;
}

void LogisticModel::describe_centre() noexcept {
  const auto theta = std::span(centre_.theta).first(dimension_);
  centre_.has_widths = false;
  centre_.valid = factorise(theta);
  if (!centre_.valid) return;
  centre_.total = total_;
  const kernels::MatrixView inverse{centre_.inverse.data(), dimension_, stride_};
  kernels::cholesky_invert({hessian_.data(), dimension_, stride_}, inverse);

  kernels::score_arms(arms_.view(), theta, centre_.scores);
  kernels::logistic(centre_.scores, centre_.means, centre_.slopes);
  for (std::size_t row = 0; row < arm_of_row_.size(); ++row) {
    const ArmId arm = arm_of_row_[row];
    centre_.row_scores[row] = centre_.scores[arm];
    centre_.row_weights[row] = totals_[row] * centre_.slopes[arm];
    weights_[row] = totals_[row] * centre_.means[arm];
  }
  for (std::size_t j = 0; j < dimension_; ++j) centre_.pull[j] = (2 * ridge_) * theta[j];
  kernels::add_weighted_sum(rows_.view(), weights_, centre_.pull);
}

// |x|_M^2 = sum_j x_j (M x)_j, feature by feature for all arms at once.
void LogisticModel::measure_widths() noexcept {
  const FeatureView x = arms_.view();
  std::ranges::fill(centre_.widths, 0.0);
  for (std::size_t j = 0; j < dimension_; ++j) {
    kernels::score_arms(x, std::span(centre_.inverse).subspan(j * stride_, dimension_), scratch_);
    for (std::size_t k = 0; k < x.arms; ++k) centre_.widths[k] += x.feature(j)[k] * scratch_[k];
  }
  for (double& width : centre_.widths) width = std::sqrt(std::max(0.0, width));
  centre_.widest = 0.0;
  centre_.rounding = 0.0;
  for (std::size_t row = 0; row < arm_of_row_.size(); ++row) {
    const double width = centre_.widths[arm_of_row_[row]];
    centre_.widest = std::max(centre_.widest, width);
    centre_.rounding += gradient_rounding * totals_[row] * width;
  }
  centre_.has_widths = true;
}

}  // namespace phe
