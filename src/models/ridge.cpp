#include "models/ridge.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/cholesky.hpp"
#include "kernels/elementary.hpp"
#include "kernels/matrix.hpp"
#include "kernels/padded.hpp"
#include "kernels/quadratic_forms.hpp"
#include "support/archive.hpp"

namespace phe {

namespace {

// The residual is measured every `check_period` pulls: O(d^2 / 64) a pull.
constexpr std::uint64_t check_period = 64;
// Recent additions are folded into the settled Gram matrix, and that is factorised, after d, 2d,
// 4d .. pulls and then every `fold_period`: two sums of at most thousands of terms instead of one
// of millions, no more than thousands of rank-one updates between two factorisations, and O(d^2) a
// pull for them all.
constexpr std::uint64_t fold_period = 4096;
// Between these a residual above this one, and well above what the last factorisation left (1e-16
// times the condition number), calls for another.
constexpr double largest_residual = 1e-13;
constexpr double growth = 8.0;
// Sherman-Morrison subtracts nearly all of x^T G^-1 x when 1 + x^T G^-1 x is large, and with it as
// many digits of the inverse; below 1, or not finite, it is only by rounding.
constexpr double largest_denominator = 1e10;

kernels::MatrixView view(AlignedVector& matrix, std::size_t dimension, std::size_t stride) {
  return {matrix.data(), dimension, stride};
}

}  // namespace

RidgeModel::RidgeModel(std::size_t dimension, double ridge)
    : dimension_(dimension),
      stride_(padded(dimension)),
      ridge_(ridge),
      gram_(dimension * stride_),
      recent_(dimension * stride_),
      rows_(check_period * stride_),
      inverse_(dimension * stride_),
      factor_(dimension * stride_),
      row_(stride_),
      gain_(stride_),
      solution_(stride_),
      scratch_(2 * stride_),
      next_factorisation_(dimension) {
  assert(dimension >= 1 && ridge > 0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    gram_[i * stride_ + i] = ridge_;
    inverse_[i * stride_ + i] = 1.0 / ridge_;
  }
}

void RidgeModel::add(std::span<const double> x, double weight) noexcept {
  std::copy_n(x.begin(), dimension_, row_.begin());
  add_padded(row_, weight);
}

void RidgeModel::add_padded(std::span<const double> x, double weight) noexcept {
  assert(x.size() == stride_);
  const double denominator =
      kernels::update_inverse(view(inverse_, dimension_, stride_), x.data(), weight, gain_.data());
  kernels::copy_scaled(x.data(), std::sqrt(weight), stride_, rows_.data() + row_count_++ * stride_);
  ++adds_;
  if (adds_ >= next_factorisation_) {
    refactorise();
    fresh_residual_ = measure_residual(x.data());
    next_factorisation_ += std::min(adds_, fold_period);
  } else if (!(denominator >= 1.0 && denominator <= largest_denominator)) {
    refactorise();
  } else if (adds_ % check_period == 0) {
    check_residual(x.data());
  }
}

std::span<const double> RidgeModel::solve(std::span<const double> b) const noexcept {
  kernels::multiply({const_cast<double*>(inverse_.data()), dimension_, stride_}, b.data(),
                    solution_.data());
  return solution();
}

std::span<const double> RidgeModel::solve(std::span<const double> b,
                                          std::span<const double> noise) const noexcept {
  kernels::multiply_sum({const_cast<double*>(inverse_.data()), dimension_, stride_}, b.data(),
                        noise.data(), solution_.data());
  return solution();
}

double RidgeModel::squared_width(std::span<const double> x) const noexcept {
  double* row = scratch_.data();
  double* image = row + stride_;
  std::copy_n(x.begin(), dimension_, row);
  kernels::multiply({const_cast<double*>(inverse_.data()), dimension_, stride_}, row, image);
  return std::max(0.0, kernels::dot(row, image, stride_));
}

void RidgeModel::squared_widths(const FeatureView& x, std::span<double> widths) const noexcept {
  kernels::quadratic_forms(x, {const_cast<double*>(inverse_.data()), dimension_, stride_}, widths);
  for (double& width : widths) width = std::max(0.0, width);
}

// Let A = G^-1 and s_j^2 = A_jj. As 2 |x_i x_j| <= (s_j / s_i) x_j^2 + (s_i / s_j) x_i^2,
//
//   x^T A x <= sum_ij |A_ij| |x_i x_j| <= sum_j x_j^2 s_j sum_i |A_ij| / s_i.
//
// The sum of absolute values also bounds what rounding adds: 2 d + 2 roundings of a computed width,
// and as many of these bounds and of their sum.
void RidgeModel::width_bounds(std::span<double> bounds) const noexcept {
  double* inverse_root = scratch_.data();
  std::fill_n(inverse_root, stride_, 0.0);
  for (std::size_t i = 0; i < dimension_; ++i)
    inverse_root[i] = 1.0 / std::sqrt(inverse_[i * stride_ + i]);
  kernels::multiply_absolute({const_cast<double*>(inverse_.data()), dimension_, stride_},
                             inverse_root, bounds.data());
  const double rounding = 1.0 + static_cast<double>(8 * dimension_ + 64) * 0x1p-53;
  for (std::size_t j = 0; j < dimension_; ++j) bounds[j] *= rounding / inverse_root[j];
}

double RidgeModel::gram(std::size_t i, std::size_t j) const noexcept {
  if (i < j) std::swap(i, j);  // the sums hold the lower triangle
  double recent = recent_[j * stride_ + i];
  for (std::size_t k = 0; k < row_count_; ++k)
    recent += rows_[k * stride_ + j] * rows_[k * stride_ + i];
  return gram_[j * stride_ + i] + recent;
}

void RidgeModel::sum_rows() noexcept {
  kernels::add_outers(view(recent_, dimension_, stride_), rows_.data(), row_count_);
  row_count_ = 0;
}

void RidgeModel::check_residual(const double* x) noexcept {
  sum_rows();
  residual_ = measure_residual(x);
  if (residual_ <= std::max(largest_residual, growth * fresh_residual_)) return;
  refactorise();
  fresh_residual_ = measure_residual(x);
  ++refactorisations_;
}

double RidgeModel::measure_residual(const double* x) noexcept {
  double* image = scratch_.data() + stride_;  // G^-1 x
  kernels::multiply(view(inverse_, dimension_, stride_), x, image);
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    double back = -x[i];  // G G^-1 x - x
    for (std::size_t j = 0; j < dimension_; ++j) back += gram(i, j) * image[j];
    if (!(std::abs(back) <= difference)) difference = std::abs(back);  // NaN counts as large
    size = std::max(size, std::abs(x[i]));
  }
  return size > 0 ? difference / size : 0.0;
}

void RidgeModel::refactorise() noexcept {
  sum_rows();
  for (std::size_t i = 0; i < gram_.size(); ++i) gram_[i] += recent_[i];
  std::ranges::fill(recent_, 0.0);
  const auto factor = view(factor_, dimension_, stride_);
  if (!kernels::cholesky_of_gram(view(gram_, dimension_, stride_), factor)) return;
  log_determinant_ = 0.0;
  for (std::size_t j = 0; j < dimension_; ++j)
    log_determinant_ += 2.0 * kernels::log(factor.column(j)[j]) - kernels::log(ridge_);
  kernels::cholesky_invert(factor, view(inverse_, dimension_, stride_));
}

void RidgeModel::merge(const RidgeModel& other) noexcept {
  for (std::size_t j = 0; j < dimension_; ++j)
    for (std::size_t i = j / 8 * 8; i < dimension_; ++i)
      gram_[j * stride_ + i] += other.gram(i, j) - (i == j ? ridge_ : 0.0);
  refactorise();
}

void RidgeModel::persist(Archive& archive) {
  for (auto* part : {&gram_, &recent_, &rows_, &inverse_, &gain_}) archive.fixed(*part);
  archive(row_count_);
  archive(adds_);
  archive.require(row_count_ <= adds_ % check_period, "more rows than since the last check");
  archive(next_factorisation_);
  archive(refactorisations_);
  archive(residual_);
  archive(fresh_residual_);
}

}  // namespace phe
