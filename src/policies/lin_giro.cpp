#include "policies/lin_giro.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/binomial.hpp"
#include "kernels/cholesky.hpp"
#include "kernels/matrix.hpp"
#include "kernels/weighted_sum.hpp"
#include "policies/checks.hpp"
#include "policies/entries.hpp"

namespace phe {

Result<LinGiro> LinGiro::create(Arms arms, const LinGiroOptions& options) {
  if (auto checked =
          first_error({check_positive("lingiro", "ridge", options.ridge),
                       check_range("lingiro", options.rewards), check_features("lingiro", arms)});
      !checked)
    return checked.error();
  const auto scale = PerturbationScale::from(options.pseudo_rewards);
  if (!scale) return invalid("lingiro: {}", scale.error().message);
  return LinGiro(std::move(arms), options, scale.value());
}

LinGiro::LinGiro(Arms arms, const LinGiroOptions& options, PerturbationScale scale)
    : arms_(std::move(arms)),
      scorer_(arms_),
      options_(options),
      scale_(scale),
      pulled_(arms_),
      initial_(arms_),
      model_(arms_.dimension(), (2.0 * scale.value() + 1.0) * options.ridge),
      rows_(arms_.size()),
      counts_(arms_.view().stride),
      sums_(arms_.view().stride),
      gram_(arms_.dimension() * padded(arms_.dimension())),
      factor_(gram_.size()),
      target_(arms_.dimension()),
      theta_(arms_.dimension()),
      row_(padded(arms_.dimension())) {}

ArmId LinGiro::select(Rng& rng) {
  if (!initial_.empty()) return initial_.next();
  if (options_.resample == Resample::history) resample_history(rng);
  const FeatureView rows = pulled_.view();
  for (std::size_t i = 0; i < rows.arms; ++i)
    sums_[i] = static_cast<double>(kernels::binomial(counts_[i], rows_[i].mean, rng));
  std::ranges::fill(target_, 0.0);
  kernels::add_weighted_sum(rows, sums_, target_);
  if (options_.resample == Resample::history)
    fit_counts();
  else
    std::ranges::copy(model_.solve(target_), theta_.begin());
  return scorer_.best(theta_, rng);
}

// C ~ Multinomial(N; n_i / N): one arm after the other, a binomial share of what is left.
void LinGiro::resample_history(Rng& rng) noexcept {
  std::uint64_t draws_left = total_size_;
  std::uint64_t size_left = total_size_;
  for (std::size_t i = 0; i < pulled_.view().arms; ++i) {
    const double share = static_cast<double>(rows_[i].size) / static_cast<double>(size_left);
    counts_[i] = kernels::binomial(draws_left, share, rng);
    draws_left -= counts_[i];
    size_left -= rows_[i].size;
  }
}

void LinGiro::fit_counts() noexcept {
  const std::size_t d = arms_.dimension();
  const std::size_t stride = row_.size();
  const FeatureView rows = pulled_.view();
  std::ranges::fill(gram_, 0.0);
  for (std::size_t i = 0; i < rows.arms; ++i) {
    if (counts_[i] == 0) continue;
    const double root = std::sqrt(static_cast<double>(counts_[i]));
    for (std::size_t j = 0; j < d; ++j) row_[j] = root * rows.feature(j)[i];
    kernels::add_outer({gram_.data(), d, stride}, row_.data());
  }
  const double ridge = (2.0 * scale_.value() + 1.0) * options_.ridge;
  for (std::size_t j = 0; j < d; ++j) gram_[j * stride + j] += ridge;

  const kernels::MatrixView factor{factor_.data(), d, stride};
  if (!kernels::cholesky_of_gram({gram_.data(), d, stride}, factor)) return;
  std::ranges::copy(target_, row_.begin());
  kernels::cholesky_solve(factor, row_.data(), row_.data());
  std::copy_n(row_.begin(), d, theta_.begin());
}

void LinGiro::update(ArmId arm, double reward) {
  assert(arm < arms_.size());
  initial_.pulled(arm);
  const std::uint32_t i = pulled_.row_of(arm);
  Row& row = rows_[i];
  const std::uint64_t before = row.size;
  row.reward_sum += options_.rewards.to_unit(reward);
  const std::uint64_t pseudo = scale_.trials(++row.pulls);
  row.size = row.pulls + 2 * pseudo;
  row.mean = (row.reward_sum + static_cast<double>(pseudo)) / static_cast<double>(row.size);
  total_size_ += row.size - before;
  if (options_.resample == Resample::history) return;
  counts_[i] = row.size;
  arms_.copy_row(arm, row_);
  model_.add(std::span(row_).first(arms_.dimension()), static_cast<double>(row.size - before));
}

PolicyEntry lin_giro_entry() {
  return {
      "lingiro",
      "bootstrapped history with pseudo-rewards, fitted by a linear model",
      {{"a", "1", "pseudo-rewards of 0, and as many of 1, per observed reward, > 0"},
       {"ridge", "1", "regularisation lambda, > 0"},
       {"resample", "history",
        "what is resampled as one: history (a factorisation a round) | arms (rank-one updates)"}},
      [](Parameters& p, const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
        LinGiroOptions options;
        options.pseudo_rewards = p.real("a");
        options.ridge = p.real("ridge");
        options.resample = static_cast<Resample>(p.choice("resample", {"history", "arms"}));
        options.rewards = context.rewards;
        if (!p.error()) return p.error().error();
        return boxed(LinGiro::create(context.arms, options));
      }};
}

}  // namespace phe
