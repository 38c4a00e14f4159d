#include "phe/ridge.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "kernels/matrix.hpp"

namespace phe {

namespace {

// The residual is measured every `check_period` pulls: O(d^2 / 64) a pull.
constexpr std::uint64_t check_period = 64;
// Recent additions are folded into the settled Gram matrix every `fold_period` pulls: two sums of
// at most thousands of terms instead of one of millions.
constexpr std::uint64_t fold_period = 4096;
// A fresh factorisation leaves 1e-15 times the condition number; ten times the usual drift after
// 10^4 pulls at ridge 1.
constexpr double largest_residual = 1e-12;

kernels::MatrixView view(std::vector<double>& matrix, std::size_t dimension, std::size_t stride) {
  return {matrix.data(), dimension, stride};
}

}  // namespace

RidgeModel::RidgeModel(std::size_t dimension, double ridge)
    : dimension_(dimension),
      stride_((dimension + 7) / 8 * 8),
      ridge_(ridge),
      gram_(dimension * stride_),
      recent_(dimension * stride_),
      inverse_(dimension * stride_),
      scratch_(3 * stride_) {
  assert(dimension >= 1 && ridge > 0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    gram_[i * stride_ + i] = ridge_;
    inverse_[i * stride_ + i] = 1.0 / ridge_;
  }
}

void RidgeModel::add(std::span<const double> x, double weight) noexcept {
  double* row = scratch_.data();  // sqrt(weight) * x
  double* gain = row + stride_;
  const double root = std::sqrt(weight);
  for (std::size_t i = 0; i < dimension_; ++i) row[i] = root * x[i];
  kernels::add_rank_one(view(recent_, dimension_, stride_), view(inverse_, dimension_, stride_),
                        row, gain);
  ++adds_;
  if (adds_ % fold_period == 0) fold_recent();
  if (adds_ % check_period == 0) check_residual(row);
}

void RidgeModel::solve(std::span<const double> b, std::span<double> theta) const noexcept {
  double* right = scratch_.data();
  double* result = right + stride_;
  std::copy_n(b.begin(), dimension_, right);
  kernels::multiply({const_cast<double*>(inverse_.data()), dimension_, stride_}, right, result);
  std::copy_n(result, dimension_, theta.begin());
}

double RidgeModel::squared_width(std::span<const double> x) const noexcept {
  double* row = scratch_.data();
  double* image = row + stride_;
  std::copy_n(x.begin(), dimension_, row);
  kernels::multiply({const_cast<double*>(inverse_.data()), dimension_, stride_}, row, image);
  return kernels::dot(row, image, stride_);
}

double RidgeModel::gram(std::size_t i, std::size_t j) const noexcept {
  return gram_[j * stride_ + i] + recent_[j * stride_ + i];
}

void RidgeModel::fold_recent() noexcept {
  for (std::size_t i = 0; i < gram_.size(); ++i) gram_[i] += recent_[i];
  std::ranges::fill(recent_, 0.0);
}

void RidgeModel::check_residual(const double* x) noexcept {
  double* image = scratch_.data() + stride_;  // G^-1 x
  double* back = image + stride_;             // G G^-1 x, which should be x
  kernels::multiply(view(inverse_, dimension_, stride_), x, image);
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    back[i] = -x[i];
    for (std::size_t j = 0; j < dimension_; ++j) back[i] += gram(i, j) * image[j];
    difference = std::max(difference, std::abs(back[i]));
    size = std::max(size, std::abs(x[i]));
  }
  residual_ = size > 0 ? difference / size : 0.0;
  if (!(residual_ <= largest_residual)) {
    refactorise();
    ++refactorisations_;
  }
}

void RidgeModel::refactorise() noexcept {
  fold_recent();
  const auto d = static_cast<Eigen::Index>(dimension_);
  const auto stride = static_cast<Eigen::Index>(stride_);
  using Columns = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  const Columns gram(gram_.data(), d, d, Eigen::OuterStride<>(stride));
  Columns inverse(inverse_.data(), d, d, Eigen::OuterStride<>(stride));
  inverse = gram.llt().solve(Eigen::MatrixXd::Identity(d, d));
  // Symmetric to the bit, as the rank-one updates keep it.
  for (std::size_t j = 0; j < dimension_; ++j)
    for (std::size_t i = 0; i < j; ++i)
      inverse_[i * stride_ + j] = inverse_[j * stride_ + i] =
          0.5 * (inverse_[i * stride_ + j] + inverse_[j * stride_ + i]);
}

}  // namespace phe
