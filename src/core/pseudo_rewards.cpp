#include "core/pseudo_rewards.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/binomial_half.hpp"
#include "kernels/cholesky.hpp"
#include "kernels/flip_sums.hpp"
#include "kernels/normal.hpp"
#include "kernels/padded.hpp"
#include "kernels/root.hpp"
#include "kernels/weighted_sum.hpp"
#include "support/archive.hpp"

namespace phe {

namespace {

constexpr std::size_t batch = kernels::repetitions;  // rounds that a row is drawn for at a time
static_assert(batch == kernels::sets && kernels::flip_rounds % batch == 0);

// Rows drawn ahead before they are summed: their draws stay in the first-level cache.
constexpr std::size_t chunk = 128;
// Single rows with more flips than this are drawn as binomial numbers.
constexpr std::uint64_t most_flips = 8;
// A feature that was 0 in all folded rows has no variance, and a factor needs some.
constexpr double least_variance = 1e-290;

}  // namespace

PseudoRewards::PseudoRewards(PerturbationScale scale, std::size_t dimension, Kind kind,
                             std::size_t rows)
    : scale_(scale),
      dimension_(dimension),
      stride_(padded(dimension)),
      kind_(kind),
      ahead_(look_ahead() * stride_),
      folded_mean_(stride_),
      draws_(std::max(look_ahead(), kind == Kind::repeated ? batch * std::min(rows, chunk) : 0)),
      normals_(stride_),
      sum_(stride_) {
  pulls_.reserve(rows);
  trials_.reserve(rows);
  drawn_trials_.reserve(rows);
  grown_.reserve(rows);
}

PseudoRewards::PseudoRewards(const PseudoRewards& other)
    : PseudoRewards(other.scale_, other.dimension_, other.kind_, other.pulls_.capacity()) {
  caller_counts_ = other.caller_counts_;
  pulls_ = other.pulls_;
  trials_ = other.trials_;
  drawn_trials_ = other.trials_;
  prior_variance_ = other.prior_variance_;
  gaussian_ = other.gaussian_;
  folded_ = other.folded_;
  folded_mean_ = other.folded_mean_;
  factor_ = other.factor_;
  covariance_.reserve(factor_.size());
}

std::size_t PseudoRewards::look_ahead() const noexcept {
  return kind_ == Kind::repeated ? batch : kernels::flip_rounds;
}

void PseudoRewards::add_prior(double deviation) noexcept {
  prior_variance_ = deviation * deviation;
  gaussian_ = true;
  factor_.assign(dimension_ * stride_, 0.0);
  covariance_.reserve(factor_.size());
  for (std::size_t j = 0; j < dimension_; ++j) factor_[j * stride_ + j] = deviation;
}

std::uint64_t PseudoRewards::add_pulls(RowId row, std::uint64_t pulls) {
  const std::uint64_t before = row < pulls_.size() ? pulls_[row] : 0;
  const std::uint64_t trials = row < trials_.size() ? trials_[row] : 0;
  return add_pulls(row, pulls, std::max(trials, scale_.trials(before + pulls)));
}

std::uint64_t PseudoRewards::add_single_pulls(RowId row, std::uint64_t pulls) {
  const std::uint64_t before = row < trials_.size() ? trials_[row] : 0;
  return add_pulls(row, pulls, before + scale_.trials(1) * pulls);
}

std::uint64_t PseudoRewards::add_pulls(RowId row, std::uint64_t pulls, std::uint64_t trials) {
  if (row >= pulls_.size()) {
    pulls_.resize(row + 1);
    trials_.resize(row + 1);
    drawn_trials_.resize(row + 1);
  }
  pulls_[row] += pulls;
  const std::uint64_t growth = trials - trials_[row];
  if (growth == 0) return 0;
  if (trials_[row] == drawn_trials_[row]) grown_.push_back(row);
  trials_[row] = trials;
  assert(trials < std::uint64_t{1} << 52);
  return growth;
}

void PseudoRewards::fold(const Rows& rows, std::size_t count) {
  if (!gaussian_) add_prior(0.0);
  folded_ = true;
  add_to_gaussian(rows, count);
  const auto end = static_cast<std::ptrdiff_t>(count);
  for (auto* by_row : {&pulls_, &trials_, &drawn_trials_})
    by_row->erase(by_row->begin(), by_row->begin() + end);
  // The vectors ahead hold the flips of these rows; all are drawn anew.
  std::ranges::copy(trials_, drawn_trials_.begin());
  grown_.clear();
  rounds_left_ = 0;
}

// Adds to the covariance and factorises it anew: O(d^2) per row, O(d^3) per call.
void PseudoRewards::add_to_gaussian(const Rows& rows, std::size_t count) noexcept {
  covariance_.assign(factor_.size(), 0.0);
  const kernels::MatrixView covariance{covariance_.data(), dimension_, stride_};
  kernels::add_outers(covariance, factor_.data(), dimension_);
  for (RowId row = 0; row < count; ++row) {
    const auto trials = static_cast<double>(trials_[row]);
    kernels::copy_scaled(rows.features(row).data(), std::sqrt(0.25 * trials), stride_, sum_.data());
    kernels::add_outer(covariance, sum_.data());
    kernels::add_scaled(rows.features(row).data(), 0.5 * trials, stride_, folded_mean_.data());
  }
  factorise(covariance);
}

void PseudoRewards::factorise(const kernels::MatrixView& covariance) noexcept {
  for (std::size_t j = 0; j < dimension_; ++j) covariance.column(j)[j] += least_variance;
  static_cast<void>(kernels::cholesky_of_gram(covariance, {factor_.data(), dimension_, stride_}));
}

std::span<const double> PseudoRewards::draw(const Rows& rows, Rng& rng) {
  for (const RowId row : grown_) add_growth(rows, row, rng);
  grown_.clear();
  if (rounds_left_ == 0) draw_ahead(rows, rng);
  const auto flips = std::span(ahead_).subspan(--rounds_left_ * stride_, stride_);
  if (!gaussian_) return flips.first(dimension_);
  draw_gaussian(rng);
  for (std::size_t j = 0; j < stride_; ++j) sum_[j] += flips[j];
  return std::span(sum_).first(dimension_);
}

bool PseudoRewards::has_folded_rows() const noexcept {
  for (std::size_t i = 0; i < factor_.size(); ++i)
    if (factor_[i] != (i % (stride_ + 1) == 0 ? factor_[0] : 0.0)) return true;
  return std::ranges::any_of(folded_mean_, [](double entry) { return entry != 0.0; });
}

// sum = mean + L z, z ~ N(0, I).
void PseudoRewards::draw_gaussian(Rng& rng) noexcept {
  for (std::size_t k = 0; k < dimension_; ++k) normals_[k] = kernels::normal(rng);
  if (!folded_) {  // L is diagonal, and the mean 0
    const double deviation = factor_[0];
    for (std::size_t k = 0; k < dimension_; ++k) sum_[k] = deviation * normals_[k];
    return;
  }
  kernels::multiply({factor_.data(), dimension_, stride_}, normals_.data(), sum_.data());
  for (std::size_t j = 0; j < stride_; ++j) sum_[j] += folded_mean_[j];
}

void PseudoRewards::add_growth(const Rows& rows, RowId row, Rng& rng) {
  const std::uint64_t growth = trials_[row] - drawn_trials_[row];
  drawn_trials_[row] = trials_[row];
  if (rounds_left_ > 0) add_flips(rows, row, growth, rounds_left_, rng);
}

// Adds x U with fresh U ~ B(flips, 1/2) to the first `rounds` of the vectors ahead.
void PseudoRewards::add_flips(const Rows& rows, RowId row, std::uint64_t flips, std::size_t rounds,
                              Rng& rng) {
  for (std::size_t first = 0; first < rounds; first += batch)
    kernels::binomial_half_rows({&flips, 1}, rng, std::span(draws_).subspan(first, batch));
  kernels::add_outer({ahead_.data(), rounds, stride_}, rows.features(row).data(), draws_.data());
}

void PseudoRewards::draw_ahead(const Rows& rows, Rng& rng) {
  std::ranges::fill(ahead_, 0.0);
  rounds_left_ = look_ahead();
  const std::uint64_t least = scale_.trials(1);
  if (kind_ == Kind::repeated || least > most_flips) {
    for (std::size_t round = 0; round < rounds_left_; round += batch) draw_batch(rows, round, rng);
    return;
  }
  // Every row has the flips of one observation; few have those of more.
  kernels::add_flip_sums(rows.data(), rows.size(), dimension_, stride_, least, rng, ahead_.data());
  for (RowId row = 0; row < rows.size(); ++row)
    if (drawn_trials_[row] > least)
      add_flips(rows, row, drawn_trials_[row] - least, rounds_left_, rng);
}

void PseudoRewards::draw_batch(const Rows& rows, std::size_t round, Rng& rng) {
  const kernels::MatrixView ahead{ahead_.data() + round * stride_, batch, stride_};
  if (draws_.size() < batch * std::min(rows.size(), chunk))
    draws_.resize(batch * std::min(rows.size(), chunk));
  for (std::size_t first = 0; first < rows.size(); first += chunk) {
    const auto trials =
        std::span(drawn_trials_).subspan(first, std::min(chunk, rows.size() - first));
    kernels::binomial_half_rows(trials, rng, draws_);
    kernels::add_weighted_sums(rows.data() + first * stride_, trials.size(), dimension_, draws_,
                               ahead);
  }
}

void PseudoRewards::merge_folded(const PseudoRewards& other) {
  if (!other.folded_) return;
  if (!gaussian_) add_prior(0.0);
  folded_ = true;
  for (std::size_t j = 0; j < stride_; ++j) folded_mean_[j] += other.folded_mean_[j];
  // Covariances add up, but the prior, which is in both, counts once.
  AlignedVector covariance(factor_.size());
  const kernels::MatrixView sum{covariance.data(), dimension_, stride_};
  for (std::size_t k = 0; k < dimension_; ++k) {
    kernels::add_outer(sum, factor_.data() + k * stride_);
    kernels::add_outer(sum, other.factor_.data() + k * stride_);
  }
  for (std::size_t j = 0; j < dimension_; ++j) sum.column(j)[j] -= other.prior_variance_;
  factorise(sum);
}

void PseudoRewards::persist(Archive& archive) {
  archive(pulls_);
  archive(trials_);
  archive(drawn_trials_);
  archive(grown_);
  archive.require(trials_.size() == pulls_.size() && drawn_trials_.size() == pulls_.size(),
                  "pseudo-rewards of another number of rows");
  if (!archive.ok()) return;
  for (std::size_t row = 0; row < pulls_.size(); ++row)
    archive.require(scale_.allows(pulls_[row]) &&
                        (caller_counts_ || (trials_[row] >= scale_.trials(pulls_[row]) &&
                                            trials_[row] <= scale_.trials(1) * pulls_[row])) &&
                        drawn_trials_[row] <= trials_[row],
                    "pseudo-rewards that do not go with the pulls");
  for (const RowId row : grown_) archive.require(row < pulls_.size(), "a row that does not exist");
  archive.fixed(ahead_);
  archive(rounds_left_);
  archive.require(rounds_left_ <= look_ahead(), "more rounds ahead than are drawn");
  archive(gaussian_);
  archive.fixed(folded_mean_);
  if (gaussian_ && factor_.empty()) add_prior(0.0);
  archive.fixed(factor_);
  folded_ = has_folded_rows();
}

}  // namespace phe
