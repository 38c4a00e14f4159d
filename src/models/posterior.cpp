#include "models/posterior.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/cholesky.hpp"
#include "kernels/matrix.hpp"
#include "kernels/normal.hpp"
#include "kernels/padded.hpp"
#include "kernels/root.hpp"

namespace phe {

namespace {

// O((K d^2 + d^3) / 4096) a pull.
constexpr std::uint64_t refactorise_period = 4096;

}  // namespace

GaussianPosterior::GaussianPosterior(Arms arms, double ridge, double weight)
    : arms_(std::move(arms)),
      ridge_(ridge),
      weight_(weight),
      history_(arms_.size()),
      stride_(padded(arms_.dimension())),
      root_(arms_.dimension() * stride_),
      whitened_(stride_),
      gram_(root_.size()),
      factor_(root_.size()),
      row_(stride_),
      image_(stride_),
      gain_(stride_),
      theta_(stride_) {
  assert(ridge > 0 && weight > 0);
  for (std::size_t i = 0; i < arms_.dimension(); ++i)
    root_[i * stride_ + i] = 1.0 / std::sqrt(ridge_);
}

void GaussianPosterior::learn(ArmId arm, double reward) noexcept {
  history_.add(arm, reward);
  if (history_.total_pulls() % refactorise_period == 0) return refactorise();

  const kernels::MatrixView root{root_.data(), arms_.dimension(), stride_};
  const double scale = std::sqrt(weight_);
  for (std::size_t j = 0; j < arms_.dimension(); ++j) row_[j] = scale * arms_.at(arm, j);
  const double gamma = kernels::shrink_root(root, row_.data(), image_.data(), gain_.data());

  // b grows by scale y r, so w becomes (I - gamma s s^T) (w + scale y s).
  const double step = scale * reward;
  kernels::add_scaled(image_.data(), step, stride_, whitened_.data());
  const double overlap = gamma * kernels::dot(image_.data(), whitened_.data(), stride_);
  kernels::add_scaled(image_.data(), -overlap, stride_, whitened_.data());
}

std::span<const double> GaussianPosterior::sample(double scale, Rng& rng) noexcept {
  const std::size_t d = arms_.dimension();
  for (std::size_t i = 0; i < d; ++i)
    image_[i] = whitened_[i] + (scale > 0 ? scale * kernels::normal(rng) : 0.0);
  kernels::multiply({root_.data(), d, stride_}, image_.data(), theta_.data());
  return std::span(theta_).first(d);
}

void GaussianPosterior::refactorise() noexcept {
  const std::size_t d = arms_.dimension();
  std::ranges::fill(gram_, 0.0);
  std::ranges::fill(theta_, 0.0);  // holds b
  for (ArmId arm = 0; arm < arms_.size(); ++arm) {
    if (history_.pulls(arm) == 0) continue;
    const double scale = std::sqrt(weight_ * static_cast<double>(history_.pulls(arm)));
    const double sum = weight_ * history_.reward_sum(arm);
    for (std::size_t j = 0; j < d; ++j) {
      row_[j] = scale * arms_.at(arm, j);
      theta_[j] += sum * arms_.at(arm, j);
    }
    kernels::add_outer({gram_.data(), d, stride_}, row_.data());
  }
  for (std::size_t i = 0; i < d; ++i) gram_[i * stride_ + i] += ridge_;

  // G = L L^T, so S = L^-T has S S^T = G^-1.
  const kernels::MatrixView factor{factor_.data(), d, stride_};
  if (!kernels::cholesky_of_gram({gram_.data(), d, stride_}, factor)) return;
  for (std::size_t j = 0; j < d; ++j) {
    std::ranges::fill(row_, 0.0);
    row_[j] = 1.0;
    kernels::solve_transposed(factor, row_.data(), root_.data() + j * stride_);
  }
  kernels::multiply_transposed({root_.data(), d, stride_}, theta_.data(), whitened_.data());
}

}  // namespace phe
