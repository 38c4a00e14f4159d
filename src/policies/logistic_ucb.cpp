#include "policies/logistic_ucb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/best_arm.hpp"
#include "kernels/logistic.hpp"
#include "kernels/optimism.hpp"
#include "kernels/score_arms.hpp"

namespace phe {

LogisticUcb::LogisticUcb(const Arms& arms, double ridge, Bound bound)
    : LogisticLearner(arms, ridge),
      bound_(bound),
      gram_(arms.dimension(), ridge),
      widths_(arms.dimension(), arms.size()),
      slopes_(2 * arms.view().stride) {}

void LogisticUcb::see_norm(double squared) noexcept {
  if (!(squared > squared_norm_)) return;
  squared_norm_ = squared;
  radius_ = radius_for(squared);
}

kernels::BestArms LogisticUcb::best_bounds(Offered& offered, std::span<double> scores) {
  widths_.bring_up_to_date(offered, gram_, [] { return std::span<const double>(); });
  if (slopes_.size() < 2 * scores.size()) slopes_.resize(2 * scores.size());
  const auto means = std::span(slopes_).first(scores.size());
  kernels::score_arms(offered.view(), fit(), means);
  if (bound_ == Bound::of_mean) {
    kernels::logistic(means, means, std::span(slopes_).subspan(scores.size(), scores.size()));
    std::fill(means.begin() + static_cast<std::ptrdiff_t>(offered.size()), means.end(),
              -std::numeric_limits<double>::infinity());
  }
  return kernels::best_optimistic(means, widths_.squared(), radius(), scores);
}

ArmId LogisticUcb::choose(Offered& offered, Rng& rng) {
  const auto bounds = scores(offered);
  return best_arm(bounds, best_bounds(offered, bounds), rng);
}

bool LogisticUcb::probabilities(Offered& offered, std::span<double> of_each) {
  const auto bounds = scores(offered);
  best_bounds(offered, bounds);
  std::ranges::copy(bounds.first(of_each.size()), of_each.begin());
  share_among_best(of_each);
  return true;
}

double LogisticUcb::score(std::span<const double> x, Rng& /*rng*/) {
  double score = score_of(fit(), x);
  if (bound_ == Bound::of_mean) score = kernels::scalar::sigmoid(score);
  return score + radius() * std::sqrt(gram_.squared_width(x));
}

void LogisticUcb::observe(const Observation& observation) {
  LogisticLearner::observe(observation);
  const auto x = model_.rows().features(observation.row);
  gram_.add_padded(x, static_cast<double>(observation.pulls));
  widths_.pulled(gram_, observation, 1.0);
  if (observation.arm != nowhere) return;
  double squared = 0.0;
  for (const double entry : x) squared += entry * entry;
  see_norm(squared);
}

void LogisticUcb::persist(Archive& archive) {
  LogisticLearner::persist(archive);
  gram_.persist(archive);
  widths_.persist(archive);
  archive(squared_norm_);
  archive(radius_);
}

// Each row of the other is observed, with its width and its norm.
void LogisticUcb::merge(const Learner& other) {
  LogisticLearner::merge(other);
  widths_.forget();
}

}  // namespace phe
