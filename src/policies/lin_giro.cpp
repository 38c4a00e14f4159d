#include "policies/lin_giro.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/binomial.hpp"
#include "kernels/cholesky.hpp"
#include "kernels/matrix.hpp"
#include "kernels/padded.hpp"
#include "kernels/weighted_sum.hpp"
#include "policies/entries.hpp"

namespace phe {

const Keys<LinGiroOptions>& LinGiro::keys() {
  using O = LinGiroOptions;
  static const Keys<O> keys(
      "lingiro",
      {{"a", &O::pseudo_rewards, check_scale,
        "pseudo-rewards of 0, and as many of 1, per observed reward, > 0"},
       {"ridge", &O::ridge, check_positive, "regularisation lambda, > 0"},
       {"resample",
        &O::resample,
        {{"history", Resample::history}, {"arms", Resample::arms}},
        "what is resampled as one: history (a factorisation a round) | arms (rank-one updates)"}});
  return keys;
}

LinGiro::LinGiro(const Arms& arms, const LinGiroOptions& options)
    : Configured(options),
      scale_(PerturbationScale::from(options.pseudo_rewards).value()),
      rows_(arms.dimension(), Rows::Layout::both),
      model_(arms.dimension(), (2.0 * scale_.value() + 1.0) * options.ridge),
      gram_(arms.dimension() * padded(arms.dimension())),
      factor_(gram_.size()),
      target_(padded(arms.dimension())),
      theta_(target_.size()),
      row_(target_.size()) {
  rows_.reserve(arms.size());
  make_room();
}

void LinGiro::make_room() {
  const std::size_t room = rows_.view().stride;
  if (bootstraps_.size() >= room) return;
  bootstraps_.resize(room);
  counts_.resize(room);
  sums_.resize(room);
}

std::span<const double> LinGiro::draw(Rng& rng) {
  if (options_.resample == Resample::history) resample_history(rng);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    sums_[i] = static_cast<double>(kernels::binomial(counts_[i], bootstraps_[i].mean, rng));
  std::ranges::fill(target_, 0.0);
  kernels::add_weighted_sum(rows_.view(), sums_, target_);
  if (options_.resample == Resample::arms) return model_.solve(target_);
  fit_counts();
  return std::span(theta_).first(rows_.dimension());
}

// C ~ Multinomial(N; n_i / N): one row after the other, a binomial share of what is left.
void LinGiro::resample_history(Rng& rng) noexcept {
  std::uint64_t draws_left = total_size_;
  std::uint64_t size_left = total_size_;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double share = static_cast<double>(bootstraps_[i].size) / static_cast<double>(size_left);
    counts_[i] = kernels::binomial(draws_left, share, rng);
    draws_left -= counts_[i];
    size_left -= bootstraps_[i].size;
  }
}

void LinGiro::fit_counts() noexcept {
  const std::size_t d = rows_.dimension();
  const std::size_t stride = row_.size();
  std::ranges::fill(gram_, 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (counts_[i] == 0) continue;
    kernels::copy_scaled(rows_.features(static_cast<RowId>(i)).data(),
                         std::sqrt(static_cast<double>(counts_[i])), stride, row_.data());
    kernels::add_outer({gram_.data(), d, stride}, row_.data());
  }
  const double ridge = (2.0 * scale_.value() + 1.0) * options_.ridge;
  for (std::size_t j = 0; j < d; ++j) gram_[j * stride + j] += ridge;

  const kernels::MatrixView factor{factor_.data(), d, stride};
  if (!kernels::cholesky_of_gram({gram_.data(), d, stride}, factor)) return;
  kernels::cholesky_solve(factor, target_.data(), theta_.data());
}

void LinGiro::observe(const Observation& observation) {
  make_room();
  Bootstrap& row = bootstraps_[observation.row];
  const std::uint64_t before = row.size;
  row.add(observation.pulls, observation.reward_sum, scale_);
  total_size_ += row.size - before;
  if (options_.resample == Resample::history) return;
  counts_[observation.row] = row.size;
  model_.add_padded(rows_.features(observation.row), static_cast<double>(row.size - before));
}

void LinGiro::persist(Archive& archive) {
  make_room();
  model_.persist(archive);
  total_size_ = 0;
  for (RowId row = 0; row < rows_.size(); ++row) {
    bootstraps_[row].persist(archive, scale_);
    counts_[row] = bootstraps_[row].size;
    total_size_ += bootstraps_[row].size;
  }
  std::fill(bootstraps_.begin() + static_cast<std::ptrdiff_t>(rows_.size()), bootstraps_.end(),
            Bootstrap{});
}

void LinGiro::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LinGiro&>(other);
  for (RowId row = 0; row < same.rows_.size(); ++row) {
    const Bootstrap& theirs = same.bootstraps_[row];
    observe({.row = rows_.intern(same.rows_, row),
             .reward_sum = theirs.reward_sum,
             .pulls = theirs.pulls});
  }
}

PolicyEntry lin_giro_entry() {
  return entry_of<LinGiro>("bootstrapped history with pseudo-rewards, fitted by a linear model",
                           [](const auto&, const PolicyContext& context) -> Shape {
                             const bool one = context.one_context;
                             return {.fixed = Start::basis,
                                     .contexts = one ? Start::each : Start::random};
                           });
}

}  // namespace phe
