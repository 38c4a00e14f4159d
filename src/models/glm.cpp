#include "models/glm.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "kernels/cholesky.hpp"
#include "kernels/elementary.hpp"
#include "kernels/logistic.hpp"
#include "kernels/matrix.hpp"
#include "kernels/padded.hpp"
#include "kernels/score_arms.hpp"
#include "kernels/weighted_sum.hpp"
#include "models/model_memory.hpp"
#include "support/archive.hpp"

namespace phe {

namespace {

// The centre moves when the history has grown by this factor.
constexpr double growth = 1.15;
// A reused Hessian must shrink the gradient (in the norm of M) by this factor a step.
constexpr double slowest_contraction = 0.5;
constexpr int most_reuses = 16;
// How much more than on the one vector that was looked at an inverse may be off on any other.
constexpr double other_directions = 16.0;

// Bounds |theta - minimum| in the norm of the centre's Hessian, given the gradient's norm in M, how
// far the scores at theta have moved from the centre's, and b, the largest |x_i|_M. On the way to
// the minimum, at a distance u from theta, no score is further than moved + b u from the centre's;
// as |mu''| <= C mu', the Hessian there is at least e^(-C (moved + b u)) times the centre's. So
//   |gradient| >= e^(-C moved) (1 - e^(-C b distance)) / (C b).
// Infinite when the gradient is too large to tell.
template <class Link>
double distance_to_minimum(double gradient, double moved, double b) noexcept {
  const double straight = kernels::exp(Link::curvature * moved) * gradient;
  const double curvature = Link::curvature * b * straight;
  if (!(curvature < 1.0)) return std::numeric_limits<double>::infinity();
  return straight / (1.0 - curvature);  // at least -log(1 - curvature) / (C b)
}

}  // namespace

template <class Link>
Result<void> GlmModel<Link>::check(std::string_view who, const Arms& arms, double ridge) {
  if (!(ridge >= 0) || !std::isfinite(2 * ridge))
    return invalid("{}: ridge must be >= 0 and finite, got {}", who, ridge);
  for (ArmId arm = 0; arm < arms.size(); ++arm)
    for (std::size_t j = 0; j < arms.dimension(); ++j)
      if (std::abs(arms.at(arm, j)) > largest_feature)
        return invalid("{}: features must be at most {} in size, got {} in row {}, column {}", who,
                       largest_feature, arms.at(arm, j), arm + 1, j + 1);
  if (auto fits = check_model_memory(who, arms); !fits) return fits;
  if (ridge > 0) return {};
  if (arms.empty()) return invalid("{}: ridge must be > 0 in contexts, got {}", who, ridge);
  if (const auto basis = arms.basis(); !basis)
    return invalid("{}: ridge must be > 0 for these arms: {}", who, basis.error().message);
  return {};
}

template <class Link>
GlmModel<Link>::GlmModel(std::size_t dimension, double ridge, std::size_t rows,
                         double largest_reward)
    : ridge_(ridge),
      largest_reward_(largest_reward),
      dimension_(dimension),
      stride_(padded(dimension_)),
      rows_(dimension, Rows::Layout::both),
      hessian_(dimension_ * stride_) {
  rows_.reserve(rows);
  make_room();
  for (auto* vector : {&expected_target_, &gradient_, &step_, &trial_, &row_, &next_centre_,
                       &centre_.theta, &centre_.pull})
    vector->resize(stride_);
  centre_.hessian.resize(dimension_ * stride_);
  centre_.inverse.resize(dimension_ * stride_);
}

template <class Link>
void GlmModel<Link>::make_room() {
  const std::size_t room = rows_.view().stride;
  if (totals_.size() >= room) return;
  for (auto* by_row : {&totals_, &scores_, &weights_, &scratch_, &centre_.scores, &centre_.means,
                       &centre_.slopes, &centre_.weights})
    by_row->resize(room);
  if (products_.size() < room) products_.resize(room);
  if (widths_.values.size() < room) widths_.values.resize(room);
}

template <class Link>
void GlmModel<Link>::add(RowId row, double observations, double expected_sum) {
  assert(row < rows_.size() && observations > 0);
  if (row >= known_rows_) describe_new_rows();
  totals_[row] += observations;
  total_ += observations;
  const double* x = rows_.features(row).data();
  double largest = 0.0;
  for (std::size_t j = 0; j < dimension_; ++j) {
    expected_target_[j] += expected_sum * x[j];
    largest = std::max(largest, std::abs(x[j]));
  }
  scale_ += observations * largest * largest_reward_;
  if (!centre_.valid) return;
  if (centre_.has_widths)
    centre_.rounding += gradient_rounding * rounding_of(row, observations) * centre_.widest;

  // The centre stays where it is. Its gradient gains a term, its inverse follows by
  // Sherman-Morrison: M -= g g^T / (1 + r^T g) with r = sqrt(weight) x and g = M r.
  const double pull = observations * centre_.means[row];
  const double weight = observations * centre_.slopes[row];
  centre_.weights[row] += weight;
  const double root = std::sqrt(weight);
  for (std::size_t j = 0; j < dimension_; ++j) {
    centre_.pull[j] += pull * x[j];
    row_[j] = root * x[j];
  }
  kernels::add_outer({centre_.hessian.data(), dimension_, stride_}, row_.data());
  const kernels::MatrixView inverse{centre_.inverse.data(), dimension_, stride_};
  kernels::multiply(inverse, row_.data(), step_.data());
  const double square = kernels::dot(row_.data(), step_.data(), stride_);
  const double shrink = 1.0 / std::sqrt(1.0 + std::max(0.0, square));  // < 0 only by rounding
  for (double& gain : step_) gain *= shrink;
  kernels::subtract_outer(inverse, step_.data());
}

// Rows come in one at a time: in blocks of 8, with kernels that treat all rows alike.
template <class Link>
void GlmModel<Link>::describe_new_rows() {
  make_room();
  if (centre_.valid) {
    for (std::size_t row = known_rows_; row < rows_.size(); ++row) {
      const auto x = rows_.features(static_cast<RowId>(row));
      double score = 0.0;
      for (std::size_t j = 0; j < dimension_; ++j) score += centre_.theta[j] * x[j];
      centre_.scores[row] = score;
      if (centre_.has_widths)
        centre_.widest = std::max(centre_.widest, std::sqrt(std::max(0.0, squared_width(x))));
    }
    const std::size_t first = known_rows_ / 8 * 8;
    const std::size_t count = rows_.view().padded_arms() - first;
    Link::evaluate(std::span(centre_.scores).subspan(first, count),
                   std::span(centre_.means).subspan(first, count),
                   std::span(centre_.slopes).subspan(first, count));
  }
  known_rows_ = rows_.size();
}

template <class Link>
GlmFit GlmModel<Link>::fit(std::span<const double> target, std::span<double> theta) noexcept {
  recentre_when_due();
  ++work_.fits;
  return fit_from_centre(target, nullptr, theta, {});
}

template <class Link>
GlmFit GlmModel<Link>::fit_until_certain(std::span<const double> target, const Offered& offered,
                                         std::span<double> theta, std::span<double> scores) {
  recentre_when_due();
  if (centre_.valid && (!widths_.valid || widths_.round != offered.round()))
    measure_offered(offered);
  ++work_.fits;
  const GlmFit result = fit_from_centre(target, &offered, theta, scores);
  if (!result.arm_certain) kernels::score_arms(offered.view(), theta, scores);
  return result;
}

template <class Link>
GlmFit GlmModel<Link>::fit_from_centre(std::span<const double> target, const Offered* offered,
                                       std::span<double> theta,
                                       std::span<double> arm_scores) noexcept {
  std::copy_n(centre_.theta.begin(), dimension_, theta.begin());
  if (!centre_.valid) return fit_newton(target, theta);
  constexpr GlmFit certain{.converged = false, .separable = false, .arm_certain = true};
  const bool stop_early = offered != nullptr;
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
  const double left = stop_early ? left_of_gradient() : 0.0;
  const double drift = last_size > 0 ? other_directions * left / std::sqrt(last_size) : 0.0;
  if (stop_early &&
      arm_is_certain(*offered, theta, (1 + drift) * distance_after_first_step(left), arm_scores))
    return certain;

  for (int reuse = 0; reuse < most_reuses; ++reuse) {
    const double norm = gradient_from_scores(target, theta);
    kernels::multiply(inverse, gradient_.data(), step_.data());
    const double size = kernels::dot(gradient_.data(), step_.data(), stride_);
    const std::size_t rows = rows_.view().padded_arms();
    const double moved =
        needs_distance ? kernels::largest_difference(std::span(scores_).first(rows), centre_.scores)
                       : 0.0;
    const double rounding = centre_.rounding * Link::rounding_growth(moved);
    const double distance = needs_distance ? distance_to_minimum<Link>(std::sqrt(size) + rounding,
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
    // factor of e^(C (moved + b distance)) of the centre's, and its gradient was rounded.
    if (stop_early && std::isfinite(distance)) {
      const double factor =
          kernels::exp(Link::curvature * (moved + centre_.widest * distance)) - 1.0 + drift;
      const double rest = (1 + drift) * (factor * distance + rounding);
      if (arm_is_certain(*offered, theta, rest, arm_scores)) return certain;
    }
    score_rows(theta);
  }
  // Where slopes grow, a step may have gone far up, and each step back is short.
  if constexpr (Link::steep) std::copy_n(centre_.theta.begin(), dimension_, theta.begin());
  return fit_newton(target, theta);
}

// How large the numbers are of which N mu of a row is rounded, near the centre.
template <class Link>
double GlmModel<Link>::rounding_of(RowId row, double observations) const noexcept {
  return Link::rounding(observations, centre_.scores[row], observations * centre_.means[row],
                        largest_reward_);
}

// What the first step left of its gradient g in the centre's Hessian H, in the norm of M:
// g - H (M g) would be 0 if no update of M had been rounded. With nearly dependent rows it is not.
template <class Link>
double GlmModel<Link>::left_of_gradient() noexcept {
  kernels::multiply({centre_.hessian.data(), dimension_, stride_}, step_.data(), row_.data());
  for (std::size_t j = 0; j < stride_; ++j) row_[j] = gradient_[j] - row_[j];
  kernels::multiply({centre_.inverse.data(), dimension_, stride_}, row_.data(), trial_.data());
  return std::sqrt(std::max(0.0, kernels::dot(row_.data(), trial_.data(), stride_)));
}

// After the first step the gradient is what the centre's Hessian missed, sum_i x_i N_i e_i, where
// |e_i| <= slope_i (exp(C |u_i|) - 1 - C |u_i|) / C for a score that moved by u_i. Since that
// Hessian contains sum_i N_i slope_i x_i x_i^T, the norm of the gradient in M is at most sqrt(sum_i
// N_i slope_i (exp(C |u_i|) - 1 - C |u_i|)^2) / C, and what M itself has `left`.
template <class Link>
double GlmModel<Link>::distance_after_first_step(double left) const noexcept {
  const std::size_t rows = rows_.view().padded_arms();
  const auto [quartic, moved] =
      kernels::weighted_quartic(std::span(scores_).first(rows), centre_.scores, centre_.weights);
  // (exp(u) - 1 - u) / u^2 grows with u, from 1/2.
  const double u = Link::curvature * moved;
  const double factor = u > 1e-3 ? (kernels::exp(u) - 1.0 - u) / (u * u) : 0.501;
  const double rounding = centre_.rounding * Link::rounding_growth(moved);
  return distance_to_minimum<Link>(Link::curvature * factor * std::sqrt(quartic) + left + rounding,
                                   moved, centre_.widest);
}

// Whether one arm is best at every point within `distance` of theta: |x^T u| <= |x|_M |u|.
template <class Link>
bool GlmModel<Link>::arm_is_certain(const Offered& offered, std::span<const double> theta,
                                    double distance, std::span<double> scores) const noexcept {
  if (!std::isfinite(distance)) return false;
  kernels::score_arms(offered.view(), theta, scores);
  const kernels::BestArms best = kernels::best_arms(scores);
  const auto widths = std::span(widths_.values).first(scores.size());
  const double bar = best.score - distance * widths[best.first];
  return kernels::count_reaching(scores, widths, distance, bar) == 1;
}

template <class Link>
void GlmModel<Link>::recentre_when_due() noexcept {
  if (centre_.valid && total_ < growth * centre_.total) return;
  const auto theta = std::span(next_centre_).first(dimension_);
  fit_from_centre(expected_target(), nullptr, theta, {});
  std::ranges::copy(theta, centre_.theta.begin());
  describe_centre();
  ++work_.centres;
}

template <class Link>
void GlmModel<Link>::describe_centre() noexcept {
  const auto theta = std::span(centre_.theta).first(dimension_);
  centre_.has_widths = false;
  widths_.valid = false;
  // A Hessian that had to be helped is not the one whose inverse the certificate needs.
  centre_.valid = factorise(theta) && exact_hessian_;
  if (!centre_.valid) return;
  centre_.total = total_;
  const kernels::MatrixView inverse{centre_.inverse.data(), dimension_, stride_};
  kernels::cholesky_invert({hessian_.data(), dimension_, stride_}, inverse);

  const std::size_t count = rows_.view().padded_arms();
  score_rows(theta);
  std::copy_n(scores_.begin(), count, centre_.scores.begin());
  Link::evaluate(std::span(centre_.scores).first(count), std::span(centre_.means).first(count),
                 std::span(centre_.slopes).first(count));
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    centre_.weights[row] = totals_[row] * centre_.slopes[row];
    weights_[row] = totals_[row] * centre_.means[row];
  }
  for (std::size_t j = 0; j < dimension_; ++j) centre_.pull[j] = (2 * ridge_) * theta[j];
  add_folded_gradient(theta, centre_.pull.data());
  kernels::add_weighted_sum(rows_.view(), weights_, centre_.pull);
  sum_hessian();
}

// H = sum_i N_i slope_i x_i x_i^T + 2 lambda I at the centre.
template <class Link>
void GlmModel<Link>::sum_hessian() noexcept {
  if (folded_.hessian.empty())
    std::ranges::fill(centre_.hessian, 0.0);
  else
    std::ranges::copy(folded_.hessian, centre_.hessian.begin());
  const kernels::MatrixView hessian{centre_.hessian.data(), dimension_, stride_};
  for (std::size_t j = 0; j < dimension_; ++j) hessian.column(j)[j] += 2 * ridge_;
  kernels::add_weighted_outer(rows_.view(), centre_.weights, scratch_, hessian);
}

// |x|_M^2 = sum_j x_j (M x)_j, feature by feature for all at once.
template <class Link>
void GlmModel<Link>::squared_widths(const FeatureView& x, std::span<double> widths) noexcept {
  std::ranges::fill(widths, 0.0);
  for (std::size_t j = 0; j < dimension_; ++j) {
    kernels::score_arms(x, std::span(centre_.inverse).subspan(j * stride_, dimension_), products_);
    for (std::size_t k = 0; k < x.arms; ++k) widths[k] += x.feature(j)[k] * products_[k];
  }
}

template <class Link>
double GlmModel<Link>::squared_width(std::span<const double> x) noexcept {
  kernels::multiply({centre_.inverse.data(), dimension_, stride_}, x.data(), trial_.data());
  return kernels::dot(x.data(), trial_.data(), stride_);
}

template <class Link>
void GlmModel<Link>::measure_widths() noexcept {
  squared_widths(rows_.view(), std::span(weights_).first(rows_.view().padded_arms()));
  centre_.widest = 0.0;
  centre_.rounding = 0.0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double width = std::sqrt(std::max(0.0, weights_[row]));
    centre_.widest = std::max(centre_.widest, width);
    centre_.rounding +=
        gradient_rounding * rounding_of(static_cast<RowId>(row), totals_[row]) * width;
  }
  centre_.rounding += gradient_rounding * folded_.rounding * centre_.widest;
  centre_.has_widths = true;
}

template <class Link>
void GlmModel<Link>::measure_offered(const Offered& offered) {
  const std::size_t count = offered.view().padded_arms();
  if (products_.size() < count) products_.resize(count);
  if (widths_.values.size() < count) widths_.values.resize(count);
  const auto widths = std::span(widths_.values).first(count);
  squared_widths(offered.view(), widths);
  for (double& width : widths) width = std::sqrt(std::max(0.0, width));
  widths_.round = offered.round();
  widths_.valid = true;
}

template <class Link>
bool GlmModel<Link>::can_fold() noexcept {
  recentre_when_due();
  return centre_.valid;
}

template <class Link>
void GlmModel<Link>::fold(std::size_t count) {
  assert(centre_.valid && count <= known_rows_);
  if (folded_.hessian.empty()) {
    folded_.hessian.resize(dimension_ * stride_);
    folded_.pull.resize(stride_);
  }
  // At theta the terms of row i have the gradient N_i mu_i x_i and the Hessian
  // N_i slope_i x_i x_i^T, which are the centre's: nothing changes there.
  const kernels::MatrixView hessian{folded_.hessian.data(), dimension_, stride_};
  for (RowId row = 0; row < count; ++row) {
    const auto x = rows_.features(row);
    const double weight = totals_[row] * centre_.slopes[row];
    const double pull = totals_[row] * centre_.means[row] - weight * centre_.scores[row];
    kernels::copy_scaled(x.data(), std::sqrt(weight), stride_, row_.data());
    kernels::add_outer(hessian, row_.data());
    kernels::add_scaled(x.data(), pull, stride_, folded_.pull.data());
    folded_.rounding += rounding_of(row, totals_[row]);
  }
  rows_.drop_first(count);
  for (auto* by_row :
       {&totals_, &centre_.scores, &centre_.means, &centre_.slopes, &centre_.weights}) {
    std::copy(by_row->begin() + static_cast<std::ptrdiff_t>(count), by_row->end(), by_row->begin());
    std::fill(by_row->end() - static_cast<std::ptrdiff_t>(count), by_row->end(), 0.0);
  }
  known_rows_ -= count;
}

// The rows themselves are persisted by whoever fills them, before this.
template <class Link>
void GlmModel<Link>::persist(Archive& archive) {
  make_room();
  archive(known_rows_);
  archive.require(known_rows_ == rows_.size(), "another number of rows");
  if (!archive.ok()) return;
  // Of what is kept by row, only what belongs to rows: the room behind them may differ.
  for (auto* by_row :
       {&totals_, &centre_.scores, &centre_.means, &centre_.slopes, &centre_.weights}) {
    std::vector<double> used(by_row->begin(),
                             by_row->begin() + static_cast<std::ptrdiff_t>(known_rows_));
    archive.fixed(used);
    std::ranges::fill(*by_row, 0.0);
    std::ranges::copy(used, by_row->begin());
  }
  archive.fixed(expected_target_);
  archive(total_);
  archive(scale_);
  archive(folded_.rounding);
  archive(folded_.hessian);
  archive(folded_.pull);
  archive.require(folded_.hessian.empty() ? folded_.pull.empty()
                                          : folded_.hessian.size() == dimension_ * stride_ &&
                                                folded_.pull.size() == stride_,
                  "a summary of another size");
  archive(centre_.valid);
  archive(centre_.total);
  archive.fixed(centre_.theta);
  archive.fixed(centre_.inverse);
  archive.fixed(centre_.pull);
  archive(centre_.has_widths);
  archive(centre_.widest);
  archive(centre_.rounding);
  // The widths of actions hang on when they were measured: M has shrunk since.
  archive(widths_.valid);
  archive(widths_.round);
  archive(widths_.values);
  if (archive.reading() && archive.ok() && centre_.valid) sum_hessian();
}

template class GlmModel<LogitLink>;
template class GlmModel<LogLink>;
template class GlmModel<IdentityLink>;

}  // namespace phe
