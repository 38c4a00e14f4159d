#include "models/posterior.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/cholesky.hpp"
#include "kernels/matrix.hpp"
#include "kernels/normal.hpp"
#include "kernels/padded.hpp"
#include "kernels/root.hpp"
#include "phe/arms.hpp"
#include "support/archive.hpp"

namespace phe {

namespace {

// O(d^3 / 4096) per observation.
constexpr std::uint64_t refactorise_period = 4096;
// Rows that wait to be summed together: G is read and written once for them all.
constexpr std::uint64_t most_rows = 64;

}  // namespace

GaussianPosterior::GaussianPosterior(std::size_t dimension, double ridge, double weight)
    : ridge_(ridge),
      weight_(weight),
      dimension_(dimension),
      stride_(padded(dimension)),
      root_(dimension * stride_),
      whitened_(stride_),
      gram_(root_.size()),
      rows_(most_rows * stride_),
      target_(stride_),
      sum_(root_.size()),
      factor_(root_.size()),
      row_(stride_),
      image_(stride_),
      gain_(stride_),
      theta_(stride_) {
  assert(ridge > 0 && weight > 0);
  for (std::size_t i = 0; i < dimension_; ++i) root_[i * stride_ + i] = 1.0 / std::sqrt(ridge_);
}

bool GaussianPosterior::due() const noexcept { return (learnt_ + 1) % refactorise_period == 0; }

void GaussianPosterior::settle(std::span<const double> x, double pulls,
                               double reward_sum) noexcept {
  kernels::copy_scaled(x.data(), std::sqrt(weight_ * pulls), stride_,
                       rows_.data() + row_count_++ * stride_);
  kernels::add_scaled(x.data(), weight_ * reward_sum, stride_, target_.data());
  if (row_count_ == most_rows) sum_rows();
}

void GaussianPosterior::follow(std::span<const double> x, double pulls,
                               double reward_sum) noexcept {
  if (++learnt_ % refactorise_period == 0) return refactorise();
  const double scale = std::sqrt(weight_ * pulls);
  kernels::copy_scaled(x.data(), scale, stride_, row_.data());
  const double gamma = kernels::shrink_root({root_.data(), dimension_, stride_}, row_.data(),
                                            image_.data(), gain_.data());
  // b grows by weight x y = (weight / scale) y r, so w becomes
  // (I - gamma s s^T) (w + (weight / scale) y s).
  kernels::add_scaled(image_.data(), weight_ * reward_sum / scale, stride_, whitened_.data());
  const double overlap = gamma * kernels::dot(image_.data(), whitened_.data(), stride_);
  kernels::add_scaled(image_.data(), -overlap, stride_, whitened_.data());
}

std::span<const double> GaussianPosterior::sample(double scale, Rng& rng) noexcept {
  for (std::size_t i = 0; i < dimension_; ++i)
    image_[i] = whitened_[i] + (scale > 0 ? scale * kernels::normal(rng) : 0.0);
  kernels::multiply({root_.data(), dimension_, stride_}, image_.data(), theta_.data());
  return std::span(theta_).first(dimension_);
}

void GaussianPosterior::sum_rows() noexcept {
  kernels::add_outers({gram_.data(), dimension_, stride_}, rows_.data(), row_count_);
  row_count_ = 0;
}

void GaussianPosterior::refactorise() noexcept {
  sum_rows();
  std::ranges::copy(gram_, sum_.begin());
  for (std::size_t i = 0; i < dimension_; ++i) sum_[i * stride_ + i] += ridge_;

  // G = L L^T, so S = L^-T has S S^T = G^-1.
  const kernels::MatrixView factor{factor_.data(), dimension_, stride_};
  if (!kernels::cholesky_of_gram({sum_.data(), dimension_, stride_}, factor)) return;
  for (std::size_t j = 0; j < dimension_; ++j) {
    std::ranges::fill(row_, 0.0);
    row_[j] = 1.0;
    kernels::solve_transposed(factor, row_.data(), root_.data() + j * stride_);
  }
  kernels::multiply_transposed({root_.data(), dimension_, stride_}, target_.data(),
                               whitened_.data());
}

void GaussianPosterior::merge(const GaussianPosterior& other) noexcept {
  sum_rows();
  for (std::size_t i = 0; i < gram_.size(); ++i) gram_[i] += other.gram_[i];
  kernels::add_outers({gram_.data(), dimension_, stride_}, other.rows_.data(), other.row_count_);
  for (std::size_t j = 0; j < stride_; ++j) target_[j] += other.target_[j];
  learnt_ += other.learnt_;
  refactorise();
}

void GaussianPosterior::persist(Archive& archive) {
  for (auto* part : {&root_, &whitened_, &gram_, &rows_, &target_}) archive.fixed(*part);
  archive(row_count_);
  archive.require(row_count_ < most_rows, "more rows than can wait");
  archive(learnt_);
}

}  // namespace phe
