#include "policies/glm_learner.hpp"

#include "core/best_arm.hpp"
#include "policies/checks.hpp"

namespace phe {

namespace {

// Means of a log link are above 0, and not so large that e^64 would be one, or so small that the
// tolerance of a fit, which goes with M, would be below the rounding of the ridge.
Result<void> check_counts(std::string_view who, const RewardRange& rewards) {
  if (rewards.low == 0 && rewards.high >= 1e-3 && rewards.high <= 1e9) return {};
  return invalid(
      "{}: with a log link rewards must lie in [0, M] with M between 0.001 and 1e+09, got [{}, {}]",
      who, rewards.low, rewards.high);
}

}  // namespace

template <class Link>
Result<void> GlmLearner<Link>::check(std::string_view who, const Arms& arms, double ridge,
                                     const RewardRange& rewards) {
  return first_error({GlmModel<Link>::check(who, arms, ridge), check_range(who, rewards),
                      Link::unit_rewards ? Result<void>() : check_counts(who, rewards)});
}

template <class Link>
GlmLearner<Link>::GlmLearner(const Arms& arms, double ridge, const RewardRange& rewards)
    : largest_reward_(Link::unit_rewards ? 1.0 : rewards.high),
      model_(arms.dimension(), ridge, arms.size(), largest_reward_),
      theta_(arms.dimension()),
      reward_sums_(arms.view().stride),
      scores_(arms.view().stride) {}

template <class Link>
void GlmLearner<Link>::observe(const Observation& observation) {
  count(observation);
  model_.add(observation.row, static_cast<double>(observation.pulls),
             in_units(observation.reward_sum));
}

template <class Link>
void GlmLearner<Link>::count(const Observation& observation) {
  if (observation.row >= reward_sums_.size()) reward_sums_.resize(2 * (observation.row + 1));
  reward_sums_[observation.row] += observation.reward_sum;
}

template <class Link>
std::span<const double> GlmLearner<Link>::fit(std::span<const double> target) {
  last_fit_ = model_.fit(target, theta_);
  return theta_;
}

template <class Link>
ArmId GlmLearner<Link>::choose_certainly(std::span<const double> target, Offered& offered,
                                         Rng& rng) {
  return best_arm(certain_scores(target, offered), rng);
}

template <class Link>
std::span<const double> GlmLearner<Link>::certain_scores(std::span<const double> target,
                                                         Offered& offered) {
  const auto of = scores(offered);
  last_fit_ = model_.fit_until_certain(target, offered, theta_, of);
  return of;
}

template <class Link>
std::span<double> GlmLearner<Link>::scores(const Offered& offered) {
  const std::size_t count = offered.view().padded_arms();
  if (scores_.size() < count) scores_.resize(count);
  return std::span(scores_).first(count);
}

template <class Link>
void GlmLearner<Link>::persist(Archive& archive) {
  model_.persist(archive);
  archive.fixed(theta_);
  archive(reward_sums_);
  archive.require(reward_sums_.size() >= model_.rows().size(), "rows without their rewards");
}

template <class Link>
void GlmLearner<Link>::merge(const Learner& other) {
  const auto& same = dynamic_cast<const GlmLearner&>(other);
  const Rows& theirs = same.model_.rows();
  for (RowId row = 0; row < theirs.size(); ++row)
    observe({.row = model_.rows().intern(theirs, row),
             .reward_sum = same.reward_sums_[row],
             .pulls = same.pulls(row)});
}

template class GlmLearner<LogitLink>;
template class GlmLearner<LogLink>;

}  // namespace phe
