#include "core/offered.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/score_arms.hpp"
#include "kernels/score_rows.hpp"
#include "kernels/screened_argmax.hpp"
#include "kernels/transpose.hpp"
#include "support/archive.hpp"

namespace phe {

namespace {

// Where screening pays: 4-10 times faster than the full pass from 10^4 arms on (bench/RESULTS.md).
bool worth_screening(const Arms& arms) {
  return arms.size() >= 10'000 && arms.dimension() >= 4 &&
         arms.dimension() <= kernels::ScreenedArms::most_features;
}

// Which feature of which action is not finite.
Error not_finite(std::span<const double> features, std::size_t dimension) {
  const auto bad = std::ranges::find_if(features, [](double x) { return !std::isfinite(x); });
  const auto place = static_cast<std::size_t>(bad - features.begin());
  return invalid("actions: action {}, feature {}: must be finite, got {}", place / dimension,
                 place % dimension, *bad);
}

Result<void> check_shape(const Actions& actions, std::size_t d) {
  if (actions.count == 0) return invalid("actions: there must be at least 1, got none");
  if (actions.count > std::numeric_limits<ArmId>::max() / 2)
    return invalid("actions: there can be at most {}, got {}",
                   std::numeric_limits<ArmId>::max() / 2, actions.count);
  if (actions.features.size() != actions.count * d)
    return invalid("actions: {} actions of {} features need {} numbers, got {}", actions.count, d,
                   actions.count * d, actions.features.size());
  return {};
}

}  // namespace

Offered::Offered(Arms arms)
    : arms_(std::move(arms)),
      view_(arms_.view()),
      one_page_(!arms_.empty() && arms_.view().stride <= kernels::page_arms),
      scores_(std::min(arms_.view().stride, kernels::page_arms)) {
  if (worth_screening(arms_))
    screened_ = std::make_shared<const kernels::ScreenedArms>(arms_.view());
}

Offered::Offered(const Offered& other)
    : arms_(other.arms_),
      screened_(other.screened_),
      view_(other.view()),
      features_(other.features_),
      round_(other.round_),
      one_page_(other.one_page_),
      scores_(other.scores_) {
  if (arms_.empty()) view_.data = features_.data();
}

Result<void> Offered::offer(const Actions& actions) {
  if (auto fits = check_shape(actions, dimension()); !fits) return fits;
  if (!kernels::all_finite(actions.features)) return not_finite(actions.features, dimension());
  accept(actions);
  known_finite_ = true;
  return {};
}

Result<void> Offered::offer_unchecked(const Actions& actions) {
  if (auto fits = check_shape(actions, dimension()); !fits) return fits;
  accept(actions);
  return {};
}

void Offered::accept(const Actions& actions) {
  make_room(actions.count);
  rows_ = given_ = actions.features;
  known_finite_ = false;
  ++round_;
}

Result<void> Offered::check() {
  known_finite_ = known_finite_ || kernels::all_finite(given_);
  if (known_finite_) return {};
  --round_;
  return not_finite(given_, dimension());
}

void Offered::make_room(std::size_t actions) {
  const std::size_t stride = padded(actions);
  if (features_.size() < stride * dimension()) features_.resize(stride * dimension());
  if (scores_.size() < stride) scores_.resize(stride);
  view_ = {features_.data(), dimension(), actions, stride};
}

void Offered::close() noexcept {
  if (!rows_.empty()) view_.arms = 0;
  rows_ = given_ = {};
}

void Offered::make_columns() const noexcept {
  known_finite_ = kernels::transpose_rows(rows_.data(), view_.arms, view_.dimension,
                                          features_.data(), view_.stride);
  rows_ = {};
}

ArmId Offered::best_anywhere(std::span<const double> theta, Rng& rng) noexcept {
  if (!rows_.empty()) {
    const auto scores = std::span(scores_).first(padded(size()));
    known_finite_ = kernels::score_rows(rows_, theta, scores) || known_finite_;
    return best_arm(scores, rng);
  }
  if (screened_) {
    std::array<ArmId, kernels::ScreenedArms::most_candidates> found;
    const std::size_t count = screened_->candidates(theta, found);
    if (count > 0) return best_of(std::span(found).first(count), theta, rng);
  }
  return best_of_all(theta, rng);
}

ArmId Offered::best_of_all(std::span<const double> theta, Rng& rng) noexcept {
  // Scores are used as soon as a page of them is there: they never go to memory.
  kernels::BestArms best = size() <= scores_.size() ? kernels::best_scored(view_, theta, scores_)
                                                    : kernels::best_scored(page(0), theta, scores_);
  for (std::size_t first = scores_.size(); first < size(); first += scores_.size()) {
    const kernels::BestArms next = kernels::best_scored(page(first), theta, scores_);
    if (next.score > best.score)
      best = {next.score, next.count, next.first + static_cast<ArmId>(first)};
    else if (next.score == best.score)
      best.count += next.count;
  }
  if (!(best.score > -std::numeric_limits<double>::infinity())) return 0;  // as in best_arm
  if (best.count <= 1) return best.first;
  // Ties are rare: a second pass finds the one that is drawn.
  std::uint64_t skip = rng.below(best.count);
  for (std::size_t first = 0;; first += scores_.size()) {
    const FeatureView part = page(first);
    kernels::score_arms(part, theta, scores_);
    for (std::size_t i = 0; i < part.arms; ++i)
      if (scores_[i] == best.score && skip-- == 0) return static_cast<ArmId>(first + i);
  }
}

void Offered::score(std::span<const double> theta, std::span<double> scores) noexcept {
  if (!rows_.empty()) {
    kernels::score_rows(rows_, theta, std::span(scores_).first(padded(size())));
    std::copy_n(scores_.begin(), size(), scores.begin());
    return;
  }
  for (std::size_t first = 0; first < size(); first += scores_.size()) {
    const FeatureView part = page(first);
    kernels::score_arms(part, theta, scores_);
    std::copy_n(scores_.begin(), part.arms, scores.subspan(first).begin());
  }
}

FeatureView Offered::page(std::size_t first) const noexcept {
  FeatureView page = view_;
  page.data += first;
  page.arms = std::min(page.arms - first, scores_.size());
  return page;
}

ArmId Offered::best_of(std::span<const ArmId> candidates, std::span<const double> theta,
                       Rng& rng) noexcept {
  // The scores of kernels::score_arms, to the bit: products are summed in the order of features.
  const auto scores = std::span(scores_).first(padded(candidates.size()));
  std::ranges::fill(scores, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    scores[i] = 0.0;
    for (std::size_t j = 0; j < theta.size(); ++j)
      scores[i] += theta[j] * arms_.at(candidates[i], j);
  }
  return candidates[best_arm(scores, rng)];
}

// What was offered in the last round is of no use in the next.
void Offered::persist(Archive& archive) { archive(round_); }

}  // namespace phe
