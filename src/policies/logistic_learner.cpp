#include "policies/logistic_learner.hpp"

#include "core/best_arm.hpp"

namespace phe {

void LogisticLearner::observe(const Observation& observation) {
  count(observation);
  model_.add(observation.row, static_cast<double>(observation.pulls), observation.reward_sum);
}

void LogisticLearner::count(const Observation& observation) {
  if (observation.row >= successes_.size()) successes_.resize(2 * (observation.row + 1));
  successes_[observation.row] += observation.reward_sum;
}

std::span<const double> LogisticLearner::fit(std::span<const double> target) {
  last_fit_ = model_.fit(target, theta_);
  return theta_;
}

ArmId LogisticLearner::choose_certainly(std::span<const double> target, Offered& offered,
                                        Rng& rng) {
  return best_arm(certain_scores(target, offered), rng);
}

std::span<const double> LogisticLearner::certain_scores(std::span<const double> target,
                                                        Offered& offered) {
  const auto of = scores(offered);
  last_fit_ = model_.fit_until_certain(target, offered, theta_, of);
  return of;
}

std::span<double> LogisticLearner::scores(const Offered& offered) {
  const std::size_t count = offered.view().padded_arms();
  if (scores_.size() < count) scores_.resize(count);
  return std::span(scores_).first(count);
}

void LogisticLearner::persist(Archive& archive) {
  model_.persist(archive);
  archive.fixed(theta_);
  archive(successes_);
  archive.require(successes_.size() >= model_.rows().size(), "rows without their successes");
}

void LogisticLearner::merge(const Learner& other) {
  const auto& same = dynamic_cast<const LogisticLearner&>(other);
  const Rows& theirs = same.model_.rows();
  for (RowId row = 0; row < theirs.size(); ++row)
    observe({.row = model_.rows().intern(theirs, row),
             .reward_sum = same.successes_[row],
             .pulls = same.pulls(row)});
}

}  // namespace phe
