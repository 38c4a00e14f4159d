#include "phe/arm_scorer.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "kernels/score_arms.hpp"
#include "kernels/screened_argmax.hpp"
#include "policies/best_arm.hpp"

namespace phe {

namespace {

// Where screening pays: 4-10 times faster than the full pass from 10^4 arms on (bench/RESULTS.md).
bool worth_screening(const Arms& arms) {
  return arms.size() >= 10'000 && arms.dimension() >= 4 &&
         arms.dimension() <= kernels::ScreenedArms::most_features;
}

}  // namespace

ArmScorer::ArmScorer(Arms arms)
    : arms_(std::move(arms)), scores_(std::min(arms_.view().stride, kernels::page_arms)) {
  if (worth_screening(arms_))
    screened_ = std::make_shared<const kernels::ScreenedArms>(arms_.view());
}

ArmId ArmScorer::best(std::span<const double> theta, Rng& rng) noexcept {
  if (screened_) {
    std::array<ArmId, kernels::ScreenedArms::most_candidates> found;
    const std::size_t count = screened_->candidates(theta, found);
    if (count > 0) return best_of(std::span(found).first(count), theta, rng);
  }
  return best_of_all(theta, rng);
}

ArmId ArmScorer::best_of_all(std::span<const double> theta, Rng& rng) noexcept {
  // Scores are used as soon as a page of them is there: they never go to memory.
  kernels::BestArms best = kernels::best_scored(page(0), theta, scores_);
  for (std::size_t first = scores_.size(); first < arms_.size(); first += scores_.size()) {
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
    kernels::score_arms(page(first), theta, scores_);
    for (std::size_t i = 0; i < scores_.size(); ++i)
      if (scores_[i] == best.score && skip-- == 0) return static_cast<ArmId>(first + i);
  }
}

FeatureView ArmScorer::page(std::size_t first) const noexcept {
  FeatureView page = arms_.view();
  page.data += first;
  page.arms = std::min(page.arms - first, scores_.size());
  return page;
}

ArmId ArmScorer::best_of(std::span<const ArmId> candidates, std::span<const double> theta,
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

}  // namespace phe
